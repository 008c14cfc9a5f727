class _B:
    name="branches"; path_determined=True; from_trace=True
    def of(self,t): return t.length
def find(x): return _B()
