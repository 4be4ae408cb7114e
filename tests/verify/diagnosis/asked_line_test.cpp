#include "verify/diagnosis/asked_line.h"

#include <gtest/gtest.h>

#include "tests/verify/diagnosis/lines_of.h"

namespace assay::verify::diagnosis {
namespace {

TEST(AskedLine, AnElementTypesLineIsWhereItIsAskedFor) {
  auto line = lines_of(R"(    def forward(self, x, y):
        least = torch.finfo(x.dtype).min
        floor = least / 2
        x = x.clamp(min=floor)
        eps = {torch.float32: 1e-5, torch.float64: 1e-8}[x.dtype]
        z = y * eps
        w = z.float()
        return w + x
)");
  EXPECT_EQ(element_type_asked(line, 4), 2);
  EXPECT_EQ(element_type_asked(line, 6), 5);
  EXPECT_EQ(element_type_asked(line, 7), 7);
  EXPECT_EQ(element_type_asked(line, 3), 2);
}

TEST(AskedLine, ACommonElementTypeIsAskedForWhereItIsMade) {
  auto line = lines_of(R"(def forward(self, x):
    kind = torch.result_type(x, 1.5)
    y = torch.zeros(4, dtype=kind)
    return y + x.to(kind)
)");
  EXPECT_EQ(element_type_asked(line, 3), 2);
  EXPECT_EQ(element_type_asked(line, 4), 2);
  auto called = lines_of(R"(def common(a, b):
    return torch.result_type(a, b)

def forward(self, x, y):
    kind = common(x, y)
    like = norm(y)
    return x.to(kind), y.to(like)

def last(self, x, y):
    like = norm(y)
    return y.to(like)

def norm(x):
    least = x.dtype.itemsize
    return x / 2
)");
  EXPECT_EQ(element_type_asked(called, 7), 2);
  EXPECT_EQ(element_type_asked(called, 11), 11);  // A tensor: nobody gives its type back.
}

TEST(AskedLine, ANumberThatAFunctionMakesIsAskedForThere) {
  auto line = lines_of(R"(def lowest(t):
    info = torch.finfo(t.dtype)
    return info.min

def masked(t, m):
    return t.masked_fill(m, lowest(t))
)");
  EXPECT_EQ(element_type_asked(line, 6), 2);
  auto handed = lines_of(R"(def lowest(dtype):
    return torch.finfo(dtype).min

def masked(t, m):
    low = lowest(t.dtype)
    t = t.masked_fill(~m, lowest(t.dtype))
    return t.masked_fill(m, low)
)");
  EXPECT_EQ(element_type_asked(handed, 6), 2);
  EXPECT_EQ(element_type_asked(handed, 7), 2);
}

TEST(AskedLine, ADeviceThatAVariableBringsIsAskedForWhereTheVariableIsMade) {
  auto line = lines_of(R"(def ramp(n, device, where=None):
    low = torch.zeros(n, device=where)
    return low + torch.arange(n, device=device)

def forward(self, x):
    target = x.device
    n = x.shape[0]
    scale = self.scale.to(target)
    ones = torch.ones(n, device=x.device)
    return ramp(n, target) * scale + ones
)");
  EXPECT_EQ(device_asked(line, 3), 6);
  EXPECT_EQ(device_asked(line, 8), 6);
  EXPECT_EQ(device_asked(line, 9), 9);
  auto handed = lines_of(R"(def ramp(n, device):
    return torch.arange(n, device=device)

def forward(self, x):
    steps = ramp(3, x.device)
    return x + steps.to(torch.float32)
)");
  EXPECT_EQ(device_asked(handed, 2), 5);
  EXPECT_EQ(device_asked(handed, 6), 6);
  auto made = lines_of(R"(def place_of(t):
    where = t.device
    return where

def forward(self, x):
    where = place_of(x)
    return x + torch.zeros(1, device=where)
)");
  EXPECT_EQ(device_asked(made, 7), 2);
}

TEST(AskedLine, AnElementTypeThatAVariableBringsIsAskedForWhereItIsGiven) {
  auto line = lines_of(R"(def kernel(n, dtype):
    lags = torch.arange(n, dtype=dtype)
    return 0.5 ** lags

def forward(self, x, y):
    kind = x.dtype
    k = kernel(4, kind)
    common = torch.promote_types(x.dtype, y.dtype)
    z = x.to(common) + y.to(torch.float32)
    return z * k
)");
  EXPECT_EQ(element_type_asked(line, 2), 6);
  EXPECT_EQ(element_type_asked(line, 3), 6);
  EXPECT_EQ(element_type_asked(line, 9), 8);
}

}  // namespace
}  // namespace assay::verify::diagnosis
