#include "simulator/numerics/sequence/tensor_store.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cstring>

namespace simulator {

using core::DataType;
using core::TensorId;

bool isStored(TensorRole role) {
    switch (role) {
    case TensorRole::Input:
    case TensorRole::Target:
    case TensorRole::Parameter:
    case TensorRole::State:
    case TensorRole::Constant:
    case TensorRole::Accumulator:
    case TensorRole::OptimizerSlot:
        return true;
    case TensorRole::Activation:
    case TensorRole::Gradient:
    case TensorRole::Metric:
        return false;
    }
    return false;
}

std::vector<float> readElements(const Tensor& tensor, const std::byte* data) {
    std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
    const auto convert = kernels().movement.convert(tensor.type, DataType::Float32);
    if (convert != nullptr)
        convert(data, values.data(), 0, tensor.elements());
    else if (!values.empty())
        std::memcpy(values.data(), data, values.size() * sizeof(float));
    return values;
}

void writeElements(const Tensor& tensor, std::byte* data, std::span<const float> values) {
    const auto count = static_cast<std::size_t>(tensor.elements());
    if (count == 0 || values.empty())
        return;
    std::vector<float> filled;
    if (values.size() != count) {
        filled.assign(count, values.front());
        values = filled;
    }
    const auto convert = kernels().movement.convert(DataType::Float32, tensor.type);
    if (convert != nullptr)
        convert(values.data(), data, 0, tensor.elements());
    else
        std::memcpy(data, values.data(), count * sizeof(float));
}

TensorStore::TensorStore(const TrainingGraph& graph)
    : m_graph(&graph) {
    constexpr std::size_t alignment = 64;
    std::size_t bytes = 0;
    std::map<TensorId, std::size_t> offsets;
    for (const Tensor& tensor : graph.tensors) {
        if (!isStored(tensor.role))
            continue;
        offsets[tensor.id] = bytes;
        bytes += (static_cast<std::size_t>(tensor.bytes()) + alignment - 1) / alignment * alignment;
    }
    m_memory = AlignedMemory(bytes);
    for (const auto& [id, offset] : offsets)
        m_addresses[id] = m_memory.data() + offset;
    reset();
}

void TensorStore::reset() {
    for (const InitialValue& initial : m_graph->initialValues) {
        const std::vector<float> values(initial.values.begin(), initial.values.end());
        if (m_addresses.contains(initial.tensor))
            write(initial.tensor, values);
    }
}

void TensorStore::write(TensorId id, std::span<const float> values) {
    writeElements(m_graph->tensor(id), address(id), values);
}

std::vector<float> TensorStore::read(TensorId id) const {
    return readElements(m_graph->tensor(id), address(id));
}

} // namespace simulator
