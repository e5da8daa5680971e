#pragma once

/* The interface between IPU Workbench and operations that people compile themselves, in C.
 *
 * A shared library exports
 *
 *     uint32_t ipu_workbench_user_abi(void);                        returns IPU_WORKBENCH_USER_ABI
 *     int NAME(const struct ipu_user_call *call);                    the operation
 *     int NAME_grad(const struct ipu_user_call *call);               its gradient, needed only for training
 *
 * A function answers 0, or another number when it cannot compute what it is asked to; it may then say why in
 * `message`, and the run ends with that. It writes every element of every output and nothing else, keeps no
 * address, starts no thread and depends on nothing but the call: results must be the same every time.
 * Pipelines and replicas may call it in several processes at once, in each of them one call after the other.
 *
 * Tensors are row-major and hold float32, whatever their type in the model. The gradient's inputs are the
 * operation's inputs, then its outputs, then the gradients of the outputs; its outputs are the gradients of
 * the inputs.
 *
 * The library is loaded in a process of its own, which lasts as long as the run and never is the program:
 * tensors lie in memory that both see, and what the library prints goes to standard error. The first call is
 * a trial with zeros. A function that crashes, ends the process, writes just outside a tensor, or does not
 * come back (5 seconds for the trial, half a minute for others and 1 second more for every 16 MiB of tensors)
 * ends the run with one line that says so. What it writes elsewhere, its inputs included, is its own
 * process's alone: the program takes the outputs and nothing else. Processes that it starts end with the run,
 * unless they leave their process group.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IPU_WORKBENCH_USER_ABI 1u

struct ipu_user_tensor {
    int32_t rank;
    const int64_t* extents;
    float* data;
};

struct ipu_user_call {
    uint32_t abi;
    uint32_t input_count;
    uint32_t output_count;
    uint32_t message_size;
    const struct ipu_user_tensor* inputs;
    const struct ipu_user_tensor* outputs;
    const char* attributes; /* the layer's "attributes", ends with a zero */
    char* message;          /* room for message_size characters with the final zero */
};

typedef int (*ipu_user_function)(const struct ipu_user_call* call);

#ifdef __cplusplus
}
#endif
