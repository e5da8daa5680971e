// An example of a user operation: y = a·x², the factor a written in the layer's "attributes". How to build
// and run it: README.md beside it.
#if __has_include(<ipu-workbench/user_operation.h>)
#include <ipu-workbench/user_operation.h>
#else
#include "simulator/numerics/user_operation.h"
#endif

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

/// Why the call cannot be answered, to be read by people.
int refuse(const ipu_user_call* call, const char* why) {
    std::snprintf(call->message, call->message_size, "%s", why);
    return 1;
}

} // namespace

extern "C" {

std::uint32_t ipu_workbench_user_abi(void) {
    return IPU_WORKBENCH_USER_ABI;
}

int scaled_square(const ipu_user_call* call) {
    if (call->input_count != 1 || call->output_count != 1)
        return refuse(call, "takes one tensor and gives one");
    const float factor = std::strtof(call->attributes, nullptr);
    const float* x = call->inputs[0].data;
    float* y = call->outputs[0].data;
    for (std::int64_t i = 0; i < elements(call->inputs[0]); ++i)
        y[i] = factor * x[i] * x[i];
    return 0;
}

// Inputs: x, y, dy. Output: dx.
int scaled_square_grad(const ipu_user_call* call) {
    const float factor = std::strtof(call->attributes, nullptr);
    const float* x = call->inputs[0].data;
    const float* dy = call->inputs[2].data;
    float* dx = call->outputs[0].data;
    for (std::int64_t i = 0; i < elements(call->inputs[0]); ++i)
        dx[i] = 2 * factor * x[i] * dy[i];
    return 0;
}
}
