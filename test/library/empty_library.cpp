// A shared object without instances, for the registry's test.
extern "C" [[gnu::visibility("default")]] int zellige_nothing() { return 0; }
