// User operations that do what they must not.
#include "simulator/numerics/user_operation.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {
std::int64_t elements(const ipu_user_tensor& tensor) {
    std::int64_t count = 1;
    for (std::int32_t axis = 0; axis < tensor.rank; ++axis)
        count *= tensor.extents[axis];
    return count;
}
void copy(const ipu_user_call* call) {
    for (std::int64_t i = 0; i < elements(call->inputs[0]); ++i)
        call->outputs[0].data[i] = call->inputs[0].data[i];
}
} // namespace

extern "C" {

std::uint32_t ipu_workbench_user_abi(void) {
    return IPU_WORKBENCH_USER_ABI;
}
int crashes(const ipu_user_call*) {
    std::raise(SIGSEGV);
    return 0;
}
int exits(const ipu_user_call*) {
    std::_Exit(3);
}
int fails(const ipu_user_call* call) {
    std::snprintf(call->message, call->message_size, "the moon is in the wrong phase");
    return 7;
}
int writes_outside(const ipu_user_call* call) {
    copy(call);
    call->outputs[0].data[elements(call->outputs[0])] = 1;
    return 0;
}
int changes_input(const ipu_user_call* call) {
    copy(call);
    call->inputs[0].data[0] = 1;
    return 0;
}
int leaves_out(const ipu_user_call* call) {
    call->outputs[0].data[0] = 1;
    return 0;
}
}
