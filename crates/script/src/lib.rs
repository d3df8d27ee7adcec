//! k6 scripts: QuickJS on coroutines, the k6 modules and the loader.
