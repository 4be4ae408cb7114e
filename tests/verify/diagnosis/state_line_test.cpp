#include "verify/diagnosis/state_line.h"

#include <gtest/gtest.h>

#include "tests/verify/diagnosis/lines_of.h"

namespace assay::verify::diagnosis {
namespace {

const char* const stateful = R"(    def forward(self, x):
        self.count += 1
        y = x * self.count
        z = y - self.mean + self.scale
        self.mean.mul_(0.9).add_(y.mean())
        if self.scale == 2:
            y = y + len(self.seen)
        self.seen.append(y)
        self.table[0] = y
        return z * self.table[0]

    def other(self):
        self.scale = 3)";

TEST(StateLine, AStatesLineIsThatOfItsWrite) {
  auto line = lines_of(stateful);
  EXPECT_EQ(state_write(line, 3), 2);
  EXPECT_EQ(state_write(line, 2), 2);
  EXPECT_EQ(state_write(line, 4), 5);
  EXPECT_EQ(state_write(line, 7), 8);
  EXPECT_EQ(state_write(line, 10), 9);
  EXPECT_EQ(write_near(line, 3, {"nowhere"}), 0);
  EXPECT_EQ(state_write(line, 6), 6);  // What another function writes is not told here.
}

const char* const outside = R"(    def forward(self, x):
        COUNT["calls"] += 1
        step = COUNT["calls"]
        rows = torch.zeros(3)
        rows[0] += 1
        return x * 0.5 ** step + rows

    def two(self, x):
        global turns
        y = x + turns
        turns += 1
        for scale in SCALES:
            scale[0] += y
        SEEN.append(x)
        z = scale * len(SEEN)
        return y
)";

TEST(StateLine, AStateOutsideOfTheFunctionIsWrittenThere) {
  auto line = lines_of(outside);
  EXPECT_EQ(state_write(line, 6), 2);  // By way of `step`; `rows` is the function's own.
  EXPECT_EQ(state_write(line, 10), 11);
  EXPECT_EQ(state_write(line, 15), 14);
  EXPECT_EQ(state_write(line, 5), 5);
}

const char* const counting = R"(def counting():
    n = 0

    def tick():
        nonlocal n
        n += 1
        return n
    return tick


class Net:
    def forward(self, x, seen=[]):
        if self.level >= 2:
            return x.abs()
        y = x.neg()
        self.level += 1
        seen.append(y)
        return y - seen[0]

    def calling(self, x):
        return x * self.tick()
)";

TEST(StateLine, AStateIsWrittenBehindADecisionByDefaultOrAroundAFunction) {
  auto line = lines_of(counting);
  EXPECT_EQ(state_write(line, 14), 16);  // `>=` writes nothing.
  EXPECT_EQ(state_write(line, 18), 17);  // The default is one list for all calls.
  EXPECT_EQ(state_write(line, 21), 6);
}

const auto named = lines_of(R"(class Table:
    def forward(self, x):
        if not hasattr(self, "pos"):
            self.register_buffer("pos", positions(x))
        if self.last is None:
            setattr(self, 'last', x)
        while x.max() > 1:
            x = x * 0.5
        return x + self.pos)");

TEST(StateLine, AnAttributeMayBeMadeByItsName) {
  EXPECT_EQ(write_near(named, 9, {"pos"}), 4);
  EXPECT_EQ(write_near(named, 9, {"last"}), 6);
  EXPECT_EQ(write_near(named, 9, {"x"}), 0);
}

const auto kept = lines_of(R"(class Graph:
    def normalized(self, a):
        loops = a + self.eye
        return loops / loops.sum()

    def forward(self, x, a):
        if self.norm is None:
            self.norm = self.normalized(a)
        y = self.norm @ x
        return y

class Basis:
    def forward(self, x):
        basis = gram(x)
        basis = basis + 1
        self.basis = basis
        return x @ basis

def gram(x):
    return x.t() @ x)");

TEST(StateLine, WhatAnAttributeKeepsMayBeMadeAbove) {
  EXPECT_EQ(kept_at(kept, 3), 8);
  EXPECT_EQ(kept_at(kept, 15), 16);
  EXPECT_EQ(kept_at(kept, 20), 16);  // By the caller, through a name of its own.
  EXPECT_EQ(kept_at(kept, 9), 0);
  EXPECT_EQ(state_write(kept, 20), 16);
}

const char* const through = R"(class Net:
    def __init__(self):
        self.steps = 0
        self.turns = 0
        self.fc.register_forward_pre_hook(self.count)

    def forward(self, x):
        self.steps += 1
        keep = 1.0 / (1.0 + self.steps)
        rest = 1 - keep
        return keep * self.fc(x) + rest

    def rate(self):
        self.calls += 1
        return 0.5 ** self.calls

    def decayed(self, x):
        by = self.rate()
        return x * by

    def count(self, *given):
        self.turns += 1

    def turned(self, x):
        return x * self.turns

    def set_level(self, level):
        self.level = level

    def levelled(self, x):
        return x * self.level
)";

TEST(StateLine, AStateMayReachALineByVariablesMethodsAndHooks) {
  auto line = lines_of(through);
  EXPECT_EQ(state_write(line, 11), 8);
  EXPECT_EQ(state_write(line, 19), 14);
  EXPECT_EQ(state_write(line, 25), 22);
  EXPECT_EQ(state_write(line, 31), 31);  // Nothing here says that it is called.
}

const char* const global = R"(CONFIG = {"scale": 1.0}
CONFIG["turns"] = 0

def fresh(scale):
    CONFIG = {}
    CONFIG["scale"] = scale
    return CONFIG

def step():
    CONFIG["scale"] *= 0.5

class Net:
    def forward(self, x):
        step()
        return x * CONFIG["scale"]

    def halve(self):
        self.fc.weight.data = self.fc.weight.data * 0.5
        return self.fc.weight
)";

TEST(StateLine, AGlobalMayBeWrittenByAnotherFunction) {
  auto line = lines_of(global);
  EXPECT_EQ(state_write(line, 15), 10);
  EXPECT_EQ(state_write(line, 18), 18);  // A part of an attribute.
  EXPECT_EQ(state_write(line, 19), 18);
}

TEST(StateLine, OtherWritesAreThoseOfWhatTheLineReadsBeside) {
  auto line = lines_of(R"(def extend(self, key, value):
    self.keys.append(key)
    self.values.append(value)
    self.calls = 1
    return torch.cat(self.keys), torch.cat(self.values)
)");
  EXPECT_EQ(state_write(line, 5), 3);
  EXPECT_EQ(other_state_writes(line, 5, 3), std::vector<int>{2});
  EXPECT_EQ(other_state_writes(line, 4, 4), std::vector<int>{});
}

TEST(StateLine, AMethodReadsWhatForwardKeeps) {
  auto line = lines_of(R"(def baseline(self):
    return sum(self.recent) / len(self.recent)

def forward(self, x):
    y = x - self.baseline()
    self.recent.append(float(x.mean()))
    return y
)");
  EXPECT_EQ(state_write(line, 2), 6);
}

TEST(StateLine, AWriteIsFoundByTheNameOfWhatChanged) {
  auto line = lines_of(R"(STEP = 0

def advance():
    global STEP
    STEP += 1
    return STEP

class Net(torch.nn.Module):
    calls = 0

    def __init__(self):
        self.n = 0

    def forward(self, x):
        y = self.scaled(x, n=3)
        type(self).calls += 1
        vars(self)["n"] = self.n + 1
        object.__setattr__(self, 'flag', True)
        self.banks['a'] = x
        step = next(self.steps)
        return y * advance()

def build():
    Net.calls = 0
    return Net()
)");
  EXPECT_EQ(only_write_of(line, 1, {"STEP"}), 5);
  EXPECT_EQ(only_write_of(line, 1, {"calls"}), 16);
  EXPECT_EQ(only_write_of(line, 1, {"n"}), 17);
  EXPECT_EQ(only_write_of(line, 1, {"flag"}), 18);
  EXPECT_EQ(only_write_of(line, 1, {"banks", "a"}), 19);
  EXPECT_EQ(only_write_of(line, 1, {"steps"}), 20);
  EXPECT_EQ(only_write_of(line, 1, {"n", "calls"}), 0);
  EXPECT_EQ(only_write_of(line, 1, {"y2"}), 0);
}

TEST(StateLine, WhatAModelsOwnTrainSetsIsNotExported) {
  auto line = lines_of(R"(class Net(nn.Module):
    def train(self, mode=True):
        super().train(mode)
        self.blend = 0.5 if mode else 0.0
        return self
    def forward(self, x):
        return x * self.blend)");
  EXPECT_EQ(mode_write(line, 7), 4);
  auto without = lines_of("def forward(self, x):\n    return x * self.blend");
  EXPECT_EQ(mode_write(without, 2), 0);
}

}  // namespace
}  // namespace assay::verify::diagnosis
