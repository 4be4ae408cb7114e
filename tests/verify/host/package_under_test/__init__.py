"""A package whose files import each other, for pytorch_host_test.cpp."""
