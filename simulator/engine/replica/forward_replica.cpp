#include "simulator/engine/replica/forward_replica.h"

#include "simulator/engine/replica/user_libraries.h"

#include <utility>

namespace simulator {

core::Result<TrainingReplica> forwardReplica(TrainingGraph graph, const core::IpuConfig& config,
                                             const std::filesystem::path& folder,
                                             const core::ProjectGrants& grants) {
    const auto program = std::make_shared<TrainingProgram>(forwardProgram(std::move(graph)));
    program->half = halfRounding(config);
    if (auto result = admitUserLibraries(*program, folder, grants); !result)
        return core::failure(result.error());
    return TrainingReplica::make(program);
}

} // namespace simulator
