#include "app/platform/exhausted_memory.h"

#include <cstring>
#include <exception>
#include <new>
#include <unistd.h>

namespace app {

namespace {

const char* exhaustedLine = "";
int exhaustedCode = 1;
std::terminate_handler formerTerminate = nullptr;

/// Allocates nothing.
void endExhausted() {
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::bad_alloc&) {
            (void)!::write(STDERR_FILENO, exhaustedLine, std::strlen(exhaustedLine));
            _exit(exhaustedCode);
        } catch (...) {
            formerTerminate();
        }
    }
    formerTerminate();
}

} // namespace

void endWhereMemoryIsExhausted(const char* line, int code) {
    exhaustedLine = line;
    exhaustedCode = code;
    formerTerminate = std::set_terminate(endExhausted);
}

} // namespace app
