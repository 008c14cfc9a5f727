// The longest path of tests/subjects/dijkstra.py, exactly, by dynamic programming over orders.
//
//     make bench-dijkstra-orders
//
// Every edge (u, v) is read once, into the sum "cost of u + edge", and edges may be any integers. So each entry of the
// heap is a free number whatever the others are, and all that a path says is how entries compare: smaller or equal. What
// the algorithm can still do depends only on the heap, the nodes visited and the known order of the entries in the heap,
// because entries that left it are compared no more. From such a state the longest rest, the number of paths and the
// number of infeasible directions are computed once. The numbers of leaves for 3, 4 and 5 nodes are those that
// exhaustive search of the running program counts: 9, 837 and 462640. Six nodes take 3 GB.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

using Mask = uint32_t;
using Decisions = std::vector<bool>;

struct Total {
    unsigned longest = 0;
    uint64_t ended = 0, infeasible = 0;
};

struct State {  // between two pops; entries are numbered by their place in the heap
    std::vector<int> node;
    std::vector<Mask> below;  // which entries an entry is smaller than
    std::vector<Mask> same;   // which entries it equals, itself included
    Mask visited = 0;

    std::string key() const {
        std::string text{static_cast<char>(visited)};
        for (size_t i = 0; i < node.size(); i++)
            for (int part : {node[i], int(below[i]), int(below[i] >> 8), int(same[i]), int(same[i] >> 8)})
                text.push_back(static_cast<char>(part));
        return text;
    }
};

static int nodes;

// One turn of the main loop, from pop to pop, along given decisions and then always to the true side.
struct Turn {
    State at;
    const Decisions& script;
    Decisions taken;
    std::vector<size_t> forks;  // new decisions whose false side is feasible, too
    std::vector<int> heap;
    unsigned cost = 0, infeasible = 0;
    bool ended = false;

    Turn(const State& start, const Decisions& given) : at(start), script(given) {
        for (size_t i = 0; i < at.node.size(); i++) heap.push_back(int(i));
        visit(pop());
    }

    bool decide(bool can_be_true, bool can_be_false) {
        bool is_new = taken.size() >= script.size(), way = can_be_true;
        if (can_be_true && can_be_false) {
            if (is_new) forks.push_back(taken.size());
            else way = script[taken.size()];
        } else if (is_new) {
            infeasible++;
        }
        cost++;
        taken.push_back(way);
        return way;
    }

    bool less(int a, int b) {  // of tuples (cost, node): are the costs equal, and if not, is the first smaller
        bool smaller = at.below[a] >> b & 1, larger = at.below[b] >> a & 1, equal = at.same[a] >> b & 1;
        if (decide(!smaller && !larger, !equal)) {
            join(a, b);
            return at.node[a] < at.node[b];
        }
        bool is_less = decide(!larger, !smaller);
        if (is_less) put_below(a, b);
        else put_below(b, a);
        return is_less;
    }

    Mask under(Mask entries) const {  // what is smaller than one of the entries
        Mask found = 0;
        for (size_t x = 0; x < at.node.size(); x++)
            if (at.below[x] & entries) found |= Mask(1) << x;
        return found;
    }

    void put_below(int a, int b) {
        Mask low = at.same[a] | under(at.same[a]), high = at.same[b] | at.below[b];
        for (size_t x = 0; x < at.node.size(); x++)
            if (low >> x & 1) at.below[x] |= high;
    }

    void join(int a, int b) {
        Mask all = at.same[a] | at.same[b], high = at.below[a] | at.below[b], low = under(all);
        for (size_t x = 0; x < at.node.size(); x++) {
            if (all >> x & 1) at.same[x] = all, at.below[x] |= high;
            else if (low >> x & 1) at.below[x] |= all | high;
        }
    }

    void rise(size_t place) {  // as heapq does
        int entry = heap[place];
        while (place > 0 && less(entry, heap[(place - 1) / 2])) {
            heap[place] = heap[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        heap[place] = entry;
    }

    int pop() {  // as heapq does: the last entry sinks to the bottom along the smaller children, and rises again
        int last = heap.back();
        heap.pop_back();
        if (heap.empty()) return last;
        int top = heap[0];
        size_t place = 0, end = heap.size();
        while (place < end / 2) {
            size_t child = 2 * place + 1;
            if (child + 1 < end && !less(heap[child], heap[child + 1])) child++;
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = last;
        rise(place);
        return top;
    }

    void visit(int entry) {
        int u = at.node[entry];
        ended = u == nodes - 1;
        if (ended || at.visited >> u & 1) return;
        at.visited |= Mask(1) << u;
        for (int v = 0; v < nodes; v++)
            if (!(at.visited >> v & 1)) reach(v);
    }

    void reach(int v) {  // the sum is a new number: it may be smaller than the known cost of v or not
        int known = -1;
        for (int entry : heap)
            if (at.node[entry] == v && (known < 0 || at.below[entry] >> known & 1)) known = entry;
        if (known >= 0 && !decide(true, true)) return;
        int entry = int(at.node.size());
        if (entry >= 32) abort();
        at.node.push_back(v);
        at.below.push_back(0);
        at.same.push_back(Mask(1) << entry);
        if (known >= 0) put_below(entry, known);
        heap.push_back(entry);
        rise(heap.size() - 1);
    }

    State rest() const {
        if (heap.size() > 16) abort();
        State next;
        next.visited = at.visited;
        for (int entry : heap) {
            Mask below = 0, same = 0;
            for (size_t i = 0; i < heap.size(); i++) {
                below |= (at.below[entry] >> heap[i] & 1) << i;
                same |= (at.same[entry] >> heap[i] & 1) << i;
            }
            next.node.push_back(at.node[entry]);
            next.below.push_back(below);
            next.same.push_back(same);
        }
        return next;
    }
};

static std::unordered_map<std::string, Total> known;

static Total settle(const State& state) {
    std::string key = state.key();
    if (auto found = known.find(key); found != known.end()) return found->second;
    Total total;
    std::vector<Decisions> waiting(1);
    while (!waiting.empty()) {
        Decisions script = waiting.back();
        waiting.pop_back();
        Turn turn(state, script);
        for (size_t fork : turn.forks) {
            waiting.emplace_back(turn.taken.begin(), turn.taken.begin() + long(fork));
            waiting.back().push_back(false);
        }
        Total rest;
        if (turn.ended) rest.ended = 1;
        else rest = settle(turn.rest());
        if (turn.cost + rest.longest > total.longest) total.longest = turn.cost + rest.longest;
        total.ended += rest.ended;
        total.infeasible += rest.infeasible + turn.infeasible;
    }
    return known[key] = total;
}

int main(int count, char** arguments) {
    for (int i = 1; i < count; i++) {
        nodes = atoi(arguments[i]);
        known.clear();
        Total total = settle(State{{0}, {0}, {1}, 0});
        printf("{\"nodes\": %d, \"N\": %d, \"longest\": %u, \"paths\": %llu, \"infeasible\": %llu, \"states\": %zu}\n",
               nodes, nodes * (nodes - 1), total.longest, (unsigned long long)total.ended,
               (unsigned long long)total.infeasible, known.size());
        fflush(stdout);
    }
}
