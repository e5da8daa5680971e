#pragma once

#include <cstdint>
#include <string>

namespace simulator {

enum class CollectiveKind : std::uint8_t { AllReduce, ReduceScatter, AllGather, AllToAll };
enum class CollectiveFunction : std::uint8_t {
    Add,
    Mean,
    Multiply,
    Minimum,
    Maximum,
    LogicalAnd,
    LogicalOr,
    SquareAdd,
    Local
};
/// One tensor of every replica → combined over groups of `groupSize` replicas (0: all).
struct Collective {
    CollectiveKind kind = CollectiveKind::AllReduce;
    CollectiveFunction function = CollectiveFunction::Add;
    std::int64_t groupSize = 0;
    /// A group holds replicas that are `groupSize` apart instead of neighbours.
    bool orthogonal = false;
    bool operator==(const Collective&) const = default;
};
/// x on one IPU → x on another of the same replica.
struct InterIpuCopy {
    bool operator==(const InterIpuCopy&) const = default;
};
enum class StreamDirection : std::uint8_t { HostToDevice, DeviceToHost, RemoteToDevice, DeviceToRemote };
/// x ↔ the host or streaming memory.
struct StreamCopy {
    StreamDirection direction = StreamDirection::HostToDevice;
    bool operator==(const StreamCopy&) const = default;
};

/// Declared cost of a layer the catalogue does not know: x… → y…; has no kernel.
struct Opaque {
    std::int64_t flops = 0;
    bool operator==(const Opaque&) const = default;
};

/// x… → y… by a function of a shared library (see numerics/user_operation.h for its interface). The gradient
/// function gets the inputs, the outputs and the outputs' gradients, and answers the inputs' gradients.
struct UserOperation {
    std::string library;
    /// Name of the function; "_grad" behind it is that of its gradient.
    std::string entry;
    /// Text handed to the function.
    std::string attributes;
    bool isGradient = false;
    /// Declared arithmetic of one call, for the cost model.
    std::int64_t flops = 0;
    bool operator==(const UserOperation&) const = default;
};
/// → the number of the replica, an int32 scalar.
struct ReplicationIndex {
    bool operator==(const ReplicationIndex&) const = default;
};

// clang-format off
#define COMMUNICATION_KINDS(KIND)                                                                           \
    KIND(Collective) KIND(InterIpuCopy) KIND(StreamCopy) KIND(Opaque) KIND(UserOperation)                   \
    KIND(ReplicationIndex)
// clang-format on

} // namespace simulator
