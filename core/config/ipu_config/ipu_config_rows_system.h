#pragma once

#include "core/config/ipu_config/ipu_config_option.h"

#include <array>
#include <string_view>

namespace core::ipu_config_rows {

inline constexpr std::array<std::string_view, 4> connectionTypes{"ALWAYS", "ON_DEMAND", "PRE_COMPILE",
                                                                 "NEVER"};
inline constexpr std::array<std::string_view, 3> connectionVersions{"ipu1", "ipu2", ""};
inline constexpr std::array<std::string_view, 2> modelVersions{"ipu1", "ipu2"};

inline constexpr std::array<IpuConfigOption, 13> systemRows{{
    {"device_connection.type", OptionType::Choice, "DeviceConnectionType", "\"ALWAYS\"",
     "When the program attaches to its device: ALWAYS at configuration, ON_DEMAND when it first runs, "
     "PRE_COMPILE and NEVER not at all (to compile on a machine without IPUs).",
     OptionEffect::Honoured,
     "with PRE_COMPILE and NEVER a run is refused, as there is no device to run on (`compile -o` writes an "
     "executable that runs where a device attaches); with every type but ALWAYS remote memory is there only "
     "when device_connection.enable_remote_buffers says so",
     connectionTypes},
    {"device_connection.version", OptionType::Choice, "str", "\"\"",
     "Version of the IPU to compile for: \"ipu1\", \"ipu2\", or empty. Needed with PRE_COMPILE and NEVER, "
     "where no device can be asked.",
     OptionEffect::Honoured,
     "required with PRE_COMPILE and NEVER, and refused where a built-in target is of another version; the "
     "hardware itself is the target of the project's system section",
     connectionVersions},
    {"device_connection.enable_remote_buffers", OptionType::Switch, "bool", "false",
     "Whether the system that will run the program has remote memory. Only asked with ON_DEMAND, PRE_COMPILE "
     "and NEVER; with ALWAYS the device itself answers.",
     OptionEffect::Honoured, "decides, with those connection types, whether anything can be offloaded"},
    {"experimental.always_rearrange_copies_on_the_host", OptionType::Switch, "bool", "false",
     "Bring streamed data into the layout of the device on the host instead of on the device.",
     OptionEffect::None,
     "no effect on the simulated system: streams are taken to arrive in the layout their reader wants"},
    {"experimental.enable_remote_buffer_embedding", OptionType::Switch, "bool", "false",
     "Host embeddings live in remote buffers.", OptionEffect::Honoured,
     "systemRows of HostEmbedding layers come from streaming memory, split over the replicas by their "
     "partition_strategy, instead of over the host link"},
    {"experimental.multi_replica_distribution.process_index",
     OptionType::Integer,
     "int",
     "0",
     "Which of the processes this one is.",
     OptionEffect::None,
     "no effect on the simulated system: one run simulates all processes; checked against process_count",
     {},
     0,
     65535},
    {"experimental.multi_replica_distribution.process_count",
     OptionType::Integer,
     "int",
     "0",
     "Processes that share the replicas of one program; 0: a single process. The replicas of all processes "
     "are "
     "the replicas of one, times their number.",
     OptionEffect::Honoured,
     "the processes share the project's replicas evenly; each shards offloaded variables over its own "
     "replicas only",
     {},
     0,
     65536},
    {"io_tiles.num_io_tiles",
     OptionType::Integer,
     "int",
     "0",
     "Tiles of each IPU that are kept for input and output.",
     OptionEffect::Honoured,
     "takes these tiles from computing; with place_ops_on_io_tiles a Grouped pipeline overlaps its input and "
     "output with its work",
     {},
     0,
     65536},
    {"io_tiles.place_ops_on_io_tiles", OptionType::Switch, "bool", "false",
     "Run the input and output operations on the I/O tiles.", OptionEffect::Honoured,
     "with io_tiles.num_io_tiles, a Grouped pipeline overlaps its input and output with its work"},
    {"io_tiles.available_memory_proportion",
     OptionType::Number,
     "float",
     "0.9",
     "Share of the I/O tiles' memory that may hold data; the rest is for code. Data that does not fit stays "
     "on the other tiles, with a warning.",
     OptionEffect::Honoured,
     "input that does not fit twice into this share of the I/O tiles is not overlapped with the work, and a "
     "warning says so",
     {},
     0,
     1},
    {"ipu_model.compile_ipu_code", OptionType::Switch, "bool", "true",
     "Whether the IPU Model compiles real IPU code.", OptionEffect::None,
     "no effect on the simulated system: code sizes come from the cost model, no IPU code is compiled"},
    {"ipu_model.tiles_per_ipu",
     OptionType::Integer,
     "int",
     "0",
     "Tiles of each IPU of the IPU Model; 0: those of its version.",
     OptionEffect::None,
     "no effect on the simulated system: it simulates hardware, and its tiles are those of the target of the "
     "project's system section",
     {},
     0,
     65536},
    {"ipu_model.version", OptionType::Choice, "str", "\"ipu2\"",
     "Version of the IPU that the IPU Model models: \"ipu1\" or \"ipu2\".", OptionEffect::None,
     "no effect on the simulated system: it simulates hardware, named by the target of the project's system "
     "section",
     modelVersions},
}};

} // namespace core::ipu_config_rows
