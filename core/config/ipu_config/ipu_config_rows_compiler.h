#pragma once

#include "core/config/ipu_config/ipu_config_option.h"

#include <array>
#include <string_view>

namespace core::ipu_config_rows {

inline constexpr std::array<std::string_view, 3> remoteBufferMerging{"NO_MERGING", "MERGE", "IF_BENEFICIAL"};
inline constexpr std::array<std::string_view, 5> schedulingAlgorithms{
    "CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"};
inline constexpr double int64Limit = 9007199254740992.0;

inline constexpr std::array<IpuConfigOption, 18> compilerRows{{
    {"optimizations.prefetch_data_streams", OptionType::Switch, "bool", "true",
     "Fetch the next data of the host streams while the IPU works.", OptionEffect::Honoured,
     "without it every transfer from the host is exposed, none overlaps with work"},
    {"optimizations.combine_embedding_lookups", OptionType::Switch, "bool", "false",
     "Fuse lookups in the same embedding: perhaps faster, more memory.", OptionEffect::Honoured,
     "independent lookups of a stage program in one table are planned as one lookup"},
    {"optimizations.combine_matmuls", OptionType::Switch, "bool", "false",
     "Fuse matrix multiplications that share their weights or their input.", OptionEffect::Honoured,
     "independent multiplications of a stage program that share an operand are planned as one product"},
    {"optimizations.enable_graph_outlining", OptionType::Switch, "bool", "true",
     "Equal operations with different inputs share one piece of code: less code, more copies of their "
     "inputs.",
     OptionEffect::Honoured,
     "without it every operation has the exchange code, vertex state and control code of one that is "
     "compiled alone; the time of bringing inputs to shared code is part of every operation's overhead and "
     "stays"},
    {"optimizations.merge_infeed_io_copies", OptionType::Switch, "bool", "false",
     "Merge the copies from the host into one larger copy: perhaps faster, more live memory.",
     OptionEffect::Honoured,
     "the copies of a micro-batch are set up once instead of once per tensor, and arrive in a further buffer "
     "of their size"},
    {"optimizations.maximum_cross_replica_sum_buffer_size",
     OptionType::Integer,
     "int",
     "0",
     "Bytes that may wait before a sum over replicas is scheduled; 0: none wait. Larger buffers, fewer sums, "
     "less control code.",
     OptionEffect::Honoured,
     "the gradients of an IPU are summed over the replicas in collectives of up to this size; 0: each by "
     "itself",
     {},
     0,
     int64Limit},
    {"optimizations.maximum_reduce_scatter_buffer_size",
     OptionType::Integer,
     "int",
     "0",
     "Bytes that may wait before a reduce-scatter is scheduled.",
     OptionEffect::Honoured,
     "independent reduce-scatters of a stage program go together up to this size; gradients are reduced by "
     "sums, see maximum_cross_replica_sum_buffer_size",
     {},
     0,
     int64Limit},
    {"optimizations.maximum_inter_ipu_copies_buffer_size",
     OptionType::Integer,
     "int",
     "0",
     "Bytes that may wait before a copy between IPUs is scheduled.",
     OptionEffect::Honoured,
     "copies between the IPUs of a sharded model wait for one another up to this size and share an exchange; "
     "in a pipeline all copies of a slot are one exchange anyway",
     {},
     0,
     int64Limit},
    {"optimizations.maximum_send_recv_cluster_size",
     OptionType::Integer,
     "int",
     "0",
     "Bytes that may wait before a group of transfers with the host is scheduled.",
     OptionEffect::None,
     "no effect on the simulated system: it holds back single sends and receives between operations and the "
     "host, and a Keras model meets the host only through its infeed and its outfeed",
     {},
     0,
     int64Limit},
    {"optimizations.minimum_remote_tensor_size",
     OptionType::Integer,
     "int",
     "128",
     "Bytes from which on a tensor may live in remote memory; smaller ones stay on the chip.",
     OptionEffect::Honoured,
     "smaller tensors stay on the chip when something is offloaded",
     {},
     0,
     int64Limit},
    {"optimizations.merge_remote_buffers", OptionType::Choice, "MergeRemoteBuffersBehaviour",
     "\"IF_BENEFICIAL\"",
     "Whether compatible remote buffers become one, so that code which differs only in its buffer can be "
     "shared: never, always, or where it helps.",
     OptionEffect::Honoured,
     "with NO_MERGING every access to a remote buffer has exchange code of its own; otherwise accesses to "
     "buffers of one size and type share it",
     remoteBufferMerging},
    {"optimizations.enable_gather_simplifier", OptionType::Switch, "bool", "true",
     "Optimise embedding lookups more boldly.", OptionEffect::None,
     "no effect on the simulated system: it rewrites chains of gathers that a Keras Embedding, already one "
     "lookup, does not make"},
    {"optimizations.triangular_solve_expander_block_size",
     OptionType::Integer,
     "int",
     "0",
     "Rows of a block of the triangular solver; each block runs on one tile. Smaller blocks are more "
     "parallel, "
     "larger ones need less control code; 0: the implementation chooses.",
     OptionEffect::None,
     "no effect on the simulated system: no Keras layer solves triangular systems",
     {},
     0,
     int64Limit},
    {"optimizations.cholesky_block_size",
     OptionType::Integer,
     "int",
     "0",
     "Rows of a block of the Cholesky factorisation; each block runs on one tile. Smaller blocks are more "
     "parallel, larger ones need less control code; 0: the implementation chooses.",
     OptionEffect::None,
     "no effect on the simulated system: no Keras layer factorises matrices",
     {},
     0,
     int64Limit},
    {"optimizations.enable_fast_math", OptionType::Switch, "bool", "false",
     "Let the compiler rearrange arithmetic as if it were exact: faster, without a promise about accuracy.",
     OptionEffect::Honoured,
     "element-wise functions take their fast form in the cost model; the numbers stay the same"},
    {"scheduling.algorithm", OptionType::Choice, "SchedulingAlgorithm", "\"CHOOSE_BEST\"",
     "How the operations of a program are put in order. CHOOSE_BEST makes several orders and keeps the one "
     "with the lowest predicted liveness.",
     OptionEffect::Honoured,
     "orders the operations of each stage program, and so decides what is live at the same time",
     schedulingAlgorithms},
    {"scheduling.maximum_scheduler_lookahead_depth",
     OptionType::Integer,
     "int",
     "5",
     "How many decisions ahead LOOK_AHEAD looks. Its cost grows steeply.",
     OptionEffect::Honoured,
     "used by scheduling.algorithm LOOK_AHEAD",
     {},
     1,
     1000000},
    {"scheduling.maximum_scheduler_search_space_size",
     OptionType::Integer,
     "int",
     "64",
     "How many orders LOOK_AHEAD considers at most at one decision.",
     OptionEffect::Honoured,
     "used by scheduling.algorithm LOOK_AHEAD",
     {},
     1,
     1000000000},
}};

} // namespace core::ipu_config_rows
