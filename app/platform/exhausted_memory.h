#pragma once

namespace app {

/// An allocation that fails and whose answer needs memory as well, so that nobody can give one, ends the
/// program with this line on stderr and this code. Once, before there are other threads.
void endWhereMemoryIsExhausted(const char* line, int code);

} // namespace app
