// Lists that hold one value several times: repeated_entry.

#include "verify/lint/checks.h"
#include "verify/lint/rounds.h"

namespace assay::verify::lint {

void find_repeated_entries(const View& view, std::vector<Sign>& signs) {
  for (size_t s = 0; s < view.program.steps.size(); ++s) {
    const Step& list = view.step(s);
    if (!gathers(list) || !holds_tensors(list.node->output(0)->type())) continue;
    // A list has no line of its own.
    const Step& place = located(view.program, s);
    if (!view.untold && (!place.traced || place.in_layer)) continue;
    size_t most = most_alike(list);
    if (most < fewest_rounds) continue;
    Sign sign = view.sign_at(s, RuleId::repeated_entry, Strength::possible,
                             "a list times a number of Python's looks so");
    sign.role = "entries";
    sign.literal = std::to_string(most);
    signs.push_back(std::move(sign));
  }
}

}  // namespace assay::verify::lint
