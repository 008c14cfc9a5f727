from pessimal.trace import *
from pessimal.python.counted import *
from pessimal.inputs import safe_repr, Native
class Concrete:
    def __init__(self, call, decode, cost, timeout, counted=True):
        self.call, self.decode, self.cost, self.timeout, self.counted = call, decode, cost, timeout, counted
        self.tally=Tally()
    def run(self, leaves, recording=None):
        tr=Trace(leaves=list(leaves))
        args,kw=self.decode(Counted(leaves) if self.counted else Native(leaves))
        self.tally.start(recording)
        try:
            r=self.call(*args,**kw)
            self.tally.stop()
            tr.returned=safe_repr(r)
        except self.timeout: tr.outcome=Outcome.TIMED_OUT
        except BaseException as e:
            tr.outcome=Outcome.RAISED; tr.exception=f"{type(e).__name__}: {e}"
        finally: self.tally.stop()
        tr.costs["branches"]=self.tally.count
        tr.sites=list(self.tally.sites); tr.decisions=bytearray(self.tally.directions); tr.conditions=[None]*len(tr.decisions); tr.others=bytearray(len(tr.decisions)); tr.depths=list(self.tally.depths)
        return tr
