#pragma once

#include "core/config/ipu_config/ipu_config_option.h"

#include <array>
#include <string_view>

namespace core::ipu_config_rows {

inline constexpr std::array<std::string_view, 4> selectionOrders{"AUTO", "ZIGZAG", "SNAKE", "HOOF"};
inline constexpr std::string_view intOrSequence =
    "typing.Union[int, typing.List[int], typing.Tuple[int, ...]]";

inline constexpr std::array<IpuConfigOption, 7> topRows{{
    {"allow_recompute", OptionType::Switch, "bool", "false",
     "Recompute activations in the backward pass instead of keeping them from the forward pass. Less memory "
     "for more work; operations with a state (random numbers) are never recomputed.",
     OptionEffect::Honoured,
     "turns on the recomputation mode of the pipeline: stages stash their inputs instead of every "
     "activation, "
     "and run their forward work once more"},
    {"selection_order", OptionType::Choice, "SelectionOrder", "\"AUTO\"",
     "Order in which the virtual IPUs of a program are laid on the physical IPUs of a device. AUTO takes "
     "SNAKE "
     "for a pipeline whose stage k is on IPU k and ZIGZAG otherwise; SNAKE and HOOF keep neighbours one link "
     "apart, HOOF also the last and the first.",
     OptionEffect::Honoured, "sets how many links a copy between two IPUs crosses, and so its time",
     selectionOrders},
    {"serialization_output_folder", OptionType::Text, "str", "\"\"",
     "Folder that receives the compiled executables; empty saves none.", OptionEffect::None,
     "no effect on the simulated system: a run keeps its whole provenance in the profile database instead"},
    {"compilation_poplar_options", OptionType::PoplarOptions, "dict", "{}",
     "Options for the Poplar engine's compilation, as names and texts.", OptionEffect::None,
     "no effect on the simulated system: they steer Poplar's own compiler and debugger, which are not part "
     "of the simulation; kept and written back"},
    {"gcl_poplar_options", OptionType::PoplarOptions, "dict", "{}",
     "Options for the communication library, applied to every collective operation.", OptionEffect::None,
     "no effect on the simulated system: the collectives are priced as ring operations over the links; kept "
     "and written back"},
    {"auto_select_ipus",
     OptionType::IntegerOrList,
     intOrSequence,
     "[]",
     "IPUs of each TensorFlow device: a count makes one device, a list one device per entry. The runtime "
     "looks "
     "for a device with that many IPUs. Cannot be combined with select_ipus.",
     OptionEffect::Honoured,
     "the first device is the one a project runs on: its IPU count bounds the replicas, and a count the "
     "system does not offer is refused",
     {},
     1,
     65536},
    {"select_ipus",
     OptionType::IntegerOrList,
     intOrSequence,
     "[]",
     "Ids of the devices to use, as the device listing shows them: one TensorFlow device per entry, ids "
     "unique. Cannot be combined with auto_select_ipus.",
     OptionEffect::Honoured,
     "the first device is the one a project runs on: the number of IPUs behind its id bounds the replicas, "
     "and an id outside the listing is refused",
     {},
     0,
     131072},
}};

} // namespace core::ipu_config_rows
