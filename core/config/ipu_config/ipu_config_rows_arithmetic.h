#pragma once

#include "core/config/ipu_config/ipu_config_option.h"

#include <array>
#include <string_view>

namespace core::ipu_config_rows {

inline constexpr std::array<IpuConfigOption, 12> arithmeticRows{{
    {"convolutions.poplar_options", OptionType::PoplarOptions, "dict", "{}",
     "PopLibs options for every convolution, as names and texts. availableMemoryProportion bounds the "
     "temporary memory of a convolution as a share of a tile's memory: less memory, more cycles.",
     OptionEffect::Honoured,
     "availableMemoryProportion, partialsType and use128BitConvUnitLoad change the plan of every "
     "convolution, "
     "its cycles and its memory; the other flags are kept and written back"},
    {"floating_point_behaviour.inv", OptionType::Switch, "bool", "false",
     "Stop with an exception when an operation is invalid in the sense of IEEE 754.", OptionEffect::Honoured,
     "training stops in the first weight update that meets Not-a-Number or infinity, and names the "
     "operation"},
    {"floating_point_behaviour.div0", OptionType::Switch, "bool", "false",
     "Stop with an exception when a number is divided by zero.", OptionEffect::Honoured,
     "as inv: training stops in the first weight update that meets Not-a-Number or infinity"},
    {"floating_point_behaviour.oflo", OptionType::Switch, "bool", "false",
     "Stop with an exception when a result overflows.", OptionEffect::Honoured,
     "as inv: training stops in the first weight update that meets Not-a-Number or infinity"},
    {"floating_point_behaviour.esr", OptionType::Switch, "bool", "false",
     "Round stochastically when a result is stored as float16.", OptionEffect::Honoured,
     "float16 results of a training run are rounded up or down by chance, from the seed"},
    {"floating_point_behaviour.nanoo", OptionType::Switch, "bool", "false",
     "A float16 result that overflows becomes Not-a-Number instead of the largest number.",
     OptionEffect::Honoured,
     "float16 results that overflow become infinite, and what follows from them Not-a-Number; without it "
     "(and without "
     "oflo) they stay the largest number"},
    {"floating_point_behaviour.set_all", OptionType::Switch, "bool", "false",
     "Turn on inv, div0, oflo, esr and nanoo at once, whatever they say themselves.", OptionEffect::Honoured,
     "turns on inv, div0, oflo, esr and nanoo"},
    {"matmuls.clear_pass_type", OptionType::Switch, "bool", "false",
     "Do not tell PopLibs whether a matrix multiplication belongs to the forward pass, the backward pass or "
     "the weight update. Can save memory, for example in large-batch ResNet models.",
     OptionEffect::None,
     "no effect on the simulated system: each multiplication is planned by its own shape alone, and the pass "
     "types change only which plans PopLibs chooses jointly"},
    {"matmuls.poplar_options", OptionType::PoplarOptions, "dict", "{}",
     "PopLibs options for every matrix multiplication, as names and texts. availableMemoryProportion bounds "
     "the temporary memory of a multiplication as a share of a tile's memory: less memory, more cycles.",
     OptionEffect::Honoured,
     "availableMemoryProportion, partialsType and use128BitConvUnitLoad change the plan of every matrix "
     "multiplication, its cycles and its memory; the other flags are kept and written back"},
    {"norms.use_stable_statistics", OptionType::Switch, "bool", "false",
     "Normalisations subtract the mean before they compute the variance: more exact and slower.",
     OptionEffect::Honoured,
     "normalisations with statistics of their own are priced with one more pass over their elements; the "
     "numbers are always the stable ones"},
    {"norms.experimental.distributed_batch_norm_replica_group_size",
     OptionType::Integer,
     "int",
     "1",
     "Replicas over which a batch normalisation in training shares its statistics: neighbours, as many as "
     "divide the replicas. Not meant for pipelined models, and not with I/O tiles.",
     OptionEffect::Honoured,
     "batch normalisations in training take mean and variance over the group, and their gradients the "
     "group's sums: two all-reduces of two numbers per channel for each micro-batch, in the numbers, the "
     "cycles and the program; evaluation and prediction use the moving statistics as ever",
     {},
     1,
     65536},
    {"pooling.poplar_options", OptionType::PoplarOptions, "dict", "{}",
     "PopLibs options for every pooling operation, as names and texts.", OptionEffect::None,
     "no effect on the simulated system: PopLibs documents a mapping and a speed switch without what they "
     "cost, so pooling has one plan; kept and written back"},
}};

} // namespace core::ipu_config_rows
