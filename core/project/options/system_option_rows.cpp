#include "core/project/options/option_field.h"
#include "core/project/options/option_rows.h"

namespace core {

namespace {

using Type = ProjectOptionType;

constexpr auto mostIpus = static_cast<double>(largestSystem);

} // namespace

std::vector<ProjectOption> systemOptionRows() {
    return {
        {"system.ipus",
         Type::Integer,
         "IPUs of all replicas together.",
         "Chips of the simulated machine, and how many replicas fit.",
         "System",
         "ipus",
         field<&Project::system, &SystemOptions::ipus>(),
         {.place = 1, .isAlwaysWritten = true},
         {.low = 1, .high = mostIpus}},
        {"system.target",
         Type::OpenChoice,
         "Generation of the IPU, or the path of a target file.",
         "Tiles, memory, clock and links: every figure of the cost model.",
         "System",
         "target",
         field<&Project::system, &SystemOptions::target>(),
         {.place = 2, .isAlwaysWritten = true},
         {.choices = {"ipu1", "ipu2", "bow"}}},
        {"replicas",
         Type::Integer,
         "Copies of the whole pipeline that share the data. Default: as many as the system holds.",
         "Replicas, their all-reduce, and the samples of an update.",
         "System",
         "replicas",
         field<&Project::replicas>(),
         {},
         {.low = 1, .high = mostIpus}},
        {"system.remote_memory",
         Type::Switch,
         "The system has memory beside its IPUs, which offloading needs.",
         "Offloading is refused where it is off.",
         "System",
         "remote_memory",
         field<&Project::system, &SystemOptions::remoteMemory>(),
         {.place = 3}},
        {"system.machines",
         Type::Integer,
         "Host machines. Default: as many as the IPUs need.",
         "Which collectives cross the network between hosts.",
         "System",
         "machines",
         field<&Project::system, &SystemOptions::machines>(),
         {.place = 4},
         {.low = 1, .high = mostIpus}},
    };
}

} // namespace core
