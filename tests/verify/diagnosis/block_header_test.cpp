#include "verify/diagnosis/block_header.h"

#include <gtest/gtest.h>

#include "tests/verify/diagnosis/lines_of.h"

namespace assay::verify::diagnosis {
namespace {

const auto line_of = lines_of(R"(def forward(self, x):
    n = int(x.shape[0])
    while n > 1:
        # half of them

        x = x * 0.5
        if n > 8:
            x = x + 1
        elif n > 4:
            x = x + 2
        else:
            x = x + 3
        n = n // 2
    for row in x: total = row
    format = x
    return x)");

TEST(BlockHeader, ALoopsLineIsThatOfItsHeader) {
  EXPECT_EQ(loop_header(line_of, 6), 3);
  EXPECT_EQ(loop_header(line_of, 8), 3);
  EXPECT_EQ(loop_header(line_of, 3), 3);
  EXPECT_EQ(loop_header(line_of, 14), 14);
}

TEST(BlockHeader, ABranchsLineIsThatOfItsCondition) {
  EXPECT_EQ(branch_header(line_of, 8), 7);
  EXPECT_EQ(branch_header(line_of, 10), 9);
  EXPECT_EQ(branch_header(line_of, 12), 9);
  EXPECT_EQ(branch_header(line_of, 9), 9);
}

TEST(BlockHeader, OutsideOfAnyTheLineStays) {
  EXPECT_EQ(loop_header(line_of, 2), 2);
  EXPECT_EQ(loop_header(line_of, 15), 15);  // A word that begins like one.
  EXPECT_EQ(branch_header(line_of, 6), 6);
  EXPECT_EQ(loop_header([](int) { return std::string(); }, 9), 9);
}

const char* const generating = R"(def pieces(x, size):
    for start in range(0, x.shape[1], size):
        yield x[:, start:start + size]


def once(x):
    yield x


class Net:
    def forward(self, x):
        for piece in pieces(x, 3):
            total = piece.sum()
        y = [piece.amax(1) for piece in pieces(x, 3)]
        return [z for z in once(x)]
)";

TEST(BlockHeader, AGeneratorsLoopCountsTheRounds) {
  auto line = lines_of(generating);
  EXPECT_EQ(loop_at(line, 13), 2);
  EXPECT_EQ(loop_at(line, 14), 2);
  EXPECT_EQ(loop_at(line, 15), 15);
}

TEST(BlockHeader, ALoopCountsTheCallsOfAFunction) {
  auto line = lines_of(R"(def overlap(a, b):
    low = a - b
    return low.clamp(min=0)


def shared(a, b):
    return overlap(a, b) / 2


class Net:
    def step(self, a):
        return a + 1

    def forward(self, x):
        once = self.step(x)
        while x.numel() > 0:
            y = self.step(x)
            x = x[shared(x, y) < 1]
        return [overlap(p, y) for p in x]
)");
  EXPECT_EQ(loop_at(line, 2), 19);  // The nearest call of all is in a loop of its own.
  EXPECT_EQ(loop_at(line, 7), 16);
  EXPECT_EQ(loop_at(line, 12), 16);
  EXPECT_EQ(loop_at(line, 15), 15);  // Nobody calls forward.
}

TEST(BlockHeader, AModulesForwardIsCalledByTheAttributeThatHoldsIt) {
  auto line = lines_of(R"(class Cell(torch.nn.Module):
    def forward(self, x, mask):
        return x.tanh()


class Net(torch.nn.Module):
    def __init__(self):
        self.cell = Cell()

    def forward(self, x, mask=None):
        while x.sum() > 1:
            x = self.cell(x, mask)
        if mask is not None:
            x = soften(x)
        return x


def soften(x):
    return x * 0.5
)");
  EXPECT_EQ(loop_at(line, 3), 11);
  EXPECT_EQ(origin_of("AS104", line, 3), 11);
  EXPECT_EQ(origin_of("AS103", line, 19), 13);
  EXPECT_EQ(origin_of("AS103", line, 14), 13);
}

TEST(BlockHeader, AChoiceByAnElementTypeDecides) {
  auto line = lines_of(R"(def forward(self, x, y):
    eps = {torch.float32: 1e-5, torch.float64: 1e-8}[x.dtype]
    return y * eps
)");
  EXPECT_EQ(decided_above(line, 3), 2);
}

TEST(BlockHeader, APinnedTypeOrDeviceComesFromWhereItIsAskedFor) {
  auto line = lines_of(R"(def forward(self, x):
    x = x * 2
    like = x.dtype
    where = x.device
    return x + torch.zeros(1, dtype=like) + torch.ones(1, device=where)
)");
  EXPECT_EQ(origin_of("AS107", line, 5), 3);
  EXPECT_EQ(origin_of("AS106", line, 5), 4);
}

TEST(BlockHeader, WhatALineCollectsIsGoneThroughByALoopBelow) {
  auto line = lines_of(R"(def forward(self, clips, a, b):
    first, *rest = clips.unbind(0)
    table[a *b] = 0
    for b in range(2):
        a = a + b
    for clip in rest:
        first = first + clip
    return first, rest
)");
  EXPECT_EQ(loop_at(line, 2), 6);
  EXPECT_EQ(loop_at(line, 3), 3);
}

TEST(BlockHeader, WhatAnExceptionDecidesStandsAtItsExcept) {
  auto line = lines_of("try:\n    y = x[:, 4]\nexcept IndexError:\n    y = x[:, -1]\nz = y\n");
  EXPECT_EQ(branch_header(line, 4), 3);
  EXPECT_EQ(origin_of("AS103", line, 4), 3);
}

TEST(BlockHeader, AWhileIsOneByItsFirstWord) {
  auto line = lines_of("while x.max() > 1:\n    x = x * 0.5\nwhiles = x\n");
  EXPECT_TRUE(is_while(line, 1));
  EXPECT_FALSE(is_while(line, 2));
  EXPECT_FALSE(is_while(line, 3));
}

const char* const decided = R"(def forward(self, x, mask):
    eps = 1e-3
    if x.dtype == torch.float64:
        eps = 1e-9
    if x.shape[0] == 1:
        return x
    if mask is None: return x + 1
    twice = eps * 2
    for row in x:
        x = x / (x.abs() + twice)
    side = 1 if mask.any() else 2
    if self.training:
        return x, side
    y = x * side
    return y)";

TEST(BlockHeader, AConditionAboveDecidesWhatALineReadsAndWhetherItIsReached) {
  auto line = lines_of(decided);
  EXPECT_EQ(decided_above(line, 7), 0);  // A tensor's size leaves a trace when it is asked for.
  EXPECT_EQ(decided_above(line, 8), 7);
  EXPECT_EQ(decided_above(line, 10), 7);
  EXPECT_EQ(decided_above(line, 14), 12);
  EXPECT_EQ(decided_above(line, 13), 11);
  EXPECT_EQ(decided_above(line, 2), 0);
  EXPECT_EQ(origin_of("AS108", line, 14), 12);
  EXPECT_EQ(origin_of("AS108", line, 8), 8);
  EXPECT_EQ(origin_of("AS103", line, 11), 11);
}

TEST(BlockHeader, AVariableBetweenLeadsToItsCondition) {
  const char* const text =
      "def forward(self, x):\n"
      "    if x.dtype == torch.float64:\n"
      "        eps = 1e-9\n"
      "    twice = eps * 2\n"
      "    return x / twice";
  auto line = lines_of(text);
  EXPECT_EQ(decided_above(line, 5), 2);
}

TEST(BlockHeader, WhatGoesThroughKeysIsAboveWhereTheirOrderTakesEffect) {
  auto line = lines_of(R"(def first(self, d):
    return list(d.values())
def forward(self, d):
    names = d.tolist()
    a, b = d.values()
    scale = b + 1
    for k in d:
        scale = scale + 1
    return a / scale)");
  EXPECT_EQ(walk_over_keys(line, 9), 7);
  EXPECT_EQ(walk_over_keys(line, 6), 5);
  EXPECT_EQ(walk_over_keys(line, 4), 4);
  EXPECT_EQ(origin_of("AS115", line, 6), 5);
}

TEST(BlockHeader, WhatGoesThroughKeysMayBeWhereALayerIsCalled) {
  auto line = lines_of(R"(class Sensor(nn.Module):
    def forward(self, x):
        return self.net(x)
class Net(nn.Module):
    def __init__(self):
        self.sensors = nn.ModuleDict({n: Sensor(n) for n in names})
        self.other = Sensor(3)
    def forward(self, feats):
        for name, x in feats.items():
            hidden.append(self.sensors[name](x))
        return hidden)");
  EXPECT_EQ(walk_over_keys(line, 3), 9);
}

TEST(BlockHeader, AWriteStaysWhereItIs) {
  auto line = lines_of(R"(def forward(self, x, cache):
    cache["k"] = x
    cache["v"] = x)");
  EXPECT_EQ(origin_of("AS110", line, 2), 2);
}

TEST(BlockHeader, AWriteIsBelowWhereMemoryWasHandedOut) {
  auto line = lines_of(R"(def forward(self, x):
    a = x.numpy()
    b = a.sum() + a[0]
    c = x.numpy(); c = b
    a[1] = 0
    d = x.numpy()
    numpy.clip(d, 0, 1, out=d)
    e = x.numpy()
    e *= 2
def other(self, x):
    c[0] = 1)");
  EXPECT_EQ(write_below(line, 2), 5);
  EXPECT_EQ(write_below(line, 4), 4);
  EXPECT_EQ(write_below(line, 6), 7);
  EXPECT_EQ(write_below(line, 8), 9);
  EXPECT_EQ(origin_of("AS110", line, 2), 5);
}

TEST(BlockHeader, AModeThatAVariableBringsIsAskedForWhereItIsGiven) {
  auto line = lines_of(R"(def forward(self, x):
    fresh = self.training
    y = F.batch_norm(x, self.mean, self.var, None, None, fresh)
    return F.dropout(y, 0.5, self.training)
)");
  EXPECT_EQ(origin_of("AS108", line, 3), 2);
  EXPECT_EQ(origin_of("AS108", line, 4), 4);
}

TEST(BlockHeader, AModeThatTheLineIsGivenIsNotThatOfABranchAboveIt) {
  auto line = lines_of(R"(def forward(self, x):
    noisy = self.training
    h = self.layer(x)
    if self.training:
        h = h + torch.randn_like(h)
    h = F.dropout(h, 0.5, noisy)
    return F.dropout(h, 0.5, self.training)
)");
  EXPECT_EQ(origin_of("AS108", line, 5), 4);
  EXPECT_EQ(origin_of("AS108", line, 6), 2);
  EXPECT_EQ(origin_of("AS108", line, 7), 7);
}

TEST(BlockHeader, ALoopOverEntriesIsNoBranch) {
  auto line = lines_of(R"(def forward(self, features):
    for name in features:
        total = total + features[name]
        if name == "left":
            total = total * 2
    both = torch.cat([features[name] for name in features])
    if "mask" in features:
        both = both * features["mask"]
    return both
)");
  EXPECT_TRUE(walks_unconditionally(line, 3));
  EXPECT_FALSE(walks_unconditionally(line, 5));
  EXPECT_TRUE(walks_unconditionally(line, 6));
  EXPECT_FALSE(walks_unconditionally(line, 8));
}

TEST(BlockHeader, AWriteIsDecidedByTheQuestionWhetherTwoNamesAreOneTensor) {
  auto line = lines_of(R"(def forward(self, x, out):
    if x is None:
        x = out
    if out is x:
        out = out.clone()
    if out.dim() > 1:
        out.add_(1)
    return out

def other(self, out):
    out.add_(1)
)");
  EXPECT_EQ(origin_of("AS111", line, 7), 4);
  EXPECT_EQ(origin_of("AS111", line, 3), 3);
  EXPECT_EQ(origin_of("AS111", line, 11), 11);
}

TEST(BlockHeader, ALoopIsBelowTheNumberThatCountsIt) {
  auto line = lines_of(R"(def forward(self, x, steps):
    n = int(steps)
    m = n + 1
    for i in range(m):
        x = x * n
    for _ in range(n):
        x = x + 1
    return x)");
  EXPECT_EQ(loop_at(line, 2), 6);
  EXPECT_EQ(loop_at(line, 3), 4);
  EXPECT_EQ(loop_at(line, 5), 4);
  EXPECT_EQ(loop_at(line, 8), 8);
  EXPECT_EQ(origin_of("AS104", line, 2), 6);
}

TEST(BlockHeader, WhatAConditionAsksAboutIsMadeAboveIt) {
  auto line = lines_of(R"(def clipped(self, x):
    norm = x.norm()
    y = x + 1
    limit = norm.item()
    if limit > 3.0:
        x = x * (3.0 / norm)
    return x.cumsum(1)
def other(self, y):
    if y > 3:
        return y)");
  EXPECT_EQ(decided_below(line, 2), 5);
  EXPECT_EQ(decided_below(line, 3), 0);
  EXPECT_EQ(origin_of("AS103", line, 2), 5);
  EXPECT_EQ(origin_of("AS103", line, 3), 3);
}

TEST(BlockHeader, AQuestionHowItRunsIsFoundInTheSameFunctionOnly) {
  auto line = lines_of(R"(def other(self, x):
    return x if torch.jit.is_scripting() else -x
def forward(self, x):
    y = x + 1
    if torch.jit.is_scripting():
        return y
    return -y
def last(self, x):
    return x)");
  EXPECT_EQ(asks_how_it_runs(line, 7), 5);
  EXPECT_EQ(asks_how_it_runs(line, 4), 5);
  EXPECT_EQ(asks_how_it_runs(line, 9), 0);
}

TEST(BlockHeader, TheClassDecidesWhatIsNamed) {
  EXPECT_EQ(origin_of("AS103", line_of, 8), 7);
  EXPECT_EQ(origin_of("AS104", line_of, 8), 3);
  EXPECT_EQ(origin_of("AS102", line_of, 8), 8);
  EXPECT_EQ(origin_of("AS108", line_of, 8), 8);
  auto by_mode = [](int n) { return n == 1 ? "if self.training:" : "    x = x * 3"; };
  EXPECT_EQ(origin_of("AS108", by_mode, 2), 1);
  auto by_layout = [](int n) { return n == 1 ? "if not x.is_contiguous():" : "    x = x * 3"; };
  EXPECT_EQ(origin_of("AS112", by_layout, 2), 1);
  EXPECT_EQ(origin_of("AS112", by_mode, 2), 2);
}

TEST(BlockHeader, ABranchAsksForTheModeByAnotherName) {
  auto line = lines_of(R"(@property
def noisy(self):
    return self.training and self.std > 0
def wide(self):
    return self.std > 1
def forward(self, x):
    if self.noisy:
        x = x + 1
    if self.wide():
        x = x * 2
    dropping = self.training and self.p > 0
    if dropping:
        x = x * 3
    return x)");
  EXPECT_EQ(origin_of("AS108", line, 8), 7);
  EXPECT_EQ(origin_of("AS108", line, 10), 10);
  EXPECT_EQ(origin_of("AS108", line, 13), 12);
  EXPECT_EQ(origin_of("AS112", line, 13), 13);
}

TEST(BlockHeader, AConditionPicksANumberThatTheSourceHas) {
  auto line = lines_of(R"(def forward(self, x):
    peak = x.max().item()
    gain = 0.8 if peak < 9 else (-1e-1)
    bias = -0.5  # usual
    other = 7
    if int(x.sum()) > 3:
        bias = 2
    n = int(x.mean())
    rows = x.size(1) if n > 5 else len(x)
    return x[:n] * gain + bias * 4)");
  EXPECT_EQ(choice_of(line, 2, "0.8"), 3);
  EXPECT_EQ(choice_of(line, 3, "-0.10000000000000001"), 3);
  EXPECT_EQ(choice_of(line, 3, "9"), 0);
  EXPECT_EQ(choice_of(line, 6, "-0.5"), 6);
  EXPECT_EQ(choice_of(line, 6, "2"), 6);
  EXPECT_EQ(choice_of(line, 6, "4"), 0);
  EXPECT_EQ(choice_of(line, 6, "7"), 0);  // Of a variable that no branch changes.
  EXPECT_EQ(choice_of(line, 9, "1"), 0);  // An argument.
  EXPECT_EQ(choice_of(line, 9, "5"), 0);
  EXPECT_EQ(choice_of(line, 6, "nothing"), 0);
}

TEST(BlockHeader, ARecursionIsALoopAtItsOwnCall) {
  auto line = lines_of(R"(def fold(self, x):
    n = x.size(1)
    if n == 1:
        return x[:, 0]
    half = n // 2
    return self.compose(self.fold(x[:, :half]), self.fold(x[:, half:]))
def forward(self, x):
    return self.fold(x))");
  EXPECT_EQ(loop_at(line, 5), 6);
  EXPECT_EQ(origin_of("AS104", line, 5), 6);
  EXPECT_EQ(loop_at(line, 8), 8);
  auto module = lines_of(R"(def forward(self, rows):
    if rows.size(0) < 2:
        return rows[0]
    half = rows.size(0) // 2
    return self.cell(self(rows[:half]), self(rows[half:])))");
  EXPECT_EQ(loop_at(module, 4), 5);
  auto container = lines_of(R"(def forward(self, x):
    n = x.size(0)
    return self[0](x[:n]))");
  EXPECT_EQ(loop_at(container, 2), 2);
}

TEST(BlockHeader, TheOneBranchOnTheModeIsFoundFromElsewhere) {
  auto line = lines_of(R"(class Heads(nn.Module):
    def train(self, mode=True):
        if mode and not self.training:
            self.count = 0
    def names(self):
        if self.training:
            return ["main", "aux"]
        return ["main"]
    def forward(self, x):
        x = F.dropout(x, 0.5, training=self.training)
        return {name: getattr(self, name)(x) for name in self.names()})");
  EXPECT_EQ(only_branch_on_mode(line, 11), 6);
  auto several = lines_of(R"(def forward(self, x):
    if self.training:
        x = x + 1
    return x if self.training else -x)");
  EXPECT_EQ(only_branch_on_mode(several, 2), 0);
}

}  // namespace
}  // namespace assay::verify::diagnosis
