#pragma once

namespace assay::cli {

/// The signal that asked the run to end; 0: none.
int interrupted_by();

/// SIGINT and SIGTERM end the program at once: nothing is there yet to be reported.
void end_at_once_on_signals();

/// From now on the first SIGINT or SIGTERM is noted, so that the run ends with what was found so
/// far; a second one kills it.
void end_in_order_on_signals();

}  // namespace assay::cli
