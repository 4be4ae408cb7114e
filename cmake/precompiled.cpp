// The one source of a target that only precompiles headers.
