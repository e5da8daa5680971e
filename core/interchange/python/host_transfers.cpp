#include "core/interchange/python/host_transfers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace core {

namespace {

class HostBorder {
public:
    explicit HostBorder(PythonDraft& draft)
        : m_draft(draft) {}

    void add() {
        const std::size_t layers = m_draft.layers.size();
        for (std::size_t layer = 0; layer < layers; ++layer)
            for (std::size_t call = 0; call < m_draft.layers[layer].calls.size(); ++call)
                crossInto(layer, call);
    }

private:
    [[nodiscard]] const PythonCall* callOf(const PythonTensor& tensor) const {
        const auto& calls = m_draft.layers[static_cast<std::size_t>(tensor.layer)].calls;
        const auto at = static_cast<std::size_t>(tensor.call);
        return at < calls.size() ? &calls[at] : nullptr; // an input has none
    }

    void crossInto(std::size_t layer, std::size_t call) {
        const PythonCall reader = m_draft.layers[layer].calls[call];
        for (std::size_t i = 0; i < reader.tensors.size(); ++i) {
            const PythonTensor tensor = reader.tensors[i];
            const PythonCall* producer = callOf(tensor);
            if ((producer != nullptr && producer->isOnHost) == reader.isOnHost)
                continue;
            const PythonPlace place = m_draft.layers[layer].place;
            m_draft.layers[layer].calls[call].tensors[i] = moved(tensor, reader, producer, place);
        }
    }

    PythonTensor moved(const PythonTensor& tensor, const PythonCall& reader, const PythonCall* producer,
                       PythonPlace place) {
        // Stages have hosts' parts of their own.
        const PythonCall& onHost = reader.isOnHost || producer == nullptr ? reader : *producer;
        const auto key = std::tuple(tensor.layer, tensor.call, tensor.output, onHost.stage);
        if (const auto known = m_moved.find(key); known != m_moved.end())
            return known->second;
        const PythonLayer& source = m_draft.layers[static_cast<std::size_t>(tensor.layer)];
        PythonLayer transfer;
        transfer.className = hostTransferClass;
        transfer.name = freshName(source.name + (reader.isOnHost ? "_to_host" : "_from_host"));
        transfer.config = {{"direction", reader.isOnHost ? "to_host" : "from_host"}};
        transfer.place = place;
        transfer.isInner = source.isInner;
        PythonCall call;
        call.tensors = {tensor};
        call.structure = Json::array({{{"$tensor", 0}}});
        call.stage = onHost.stage;
        call.shard = onHost.shard;
        call.isOnHost = reader.isOnHost;
        transfer.calls.push_back(std::move(call));
        m_draft.layers.push_back(std::move(transfer));
        return m_moved[key] = {static_cast<std::int64_t>(m_draft.layers.size()) - 1, 0, 0};
    }

    [[nodiscard]] std::string freshName(const std::string& wanted) const {
        std::string name = wanted;
        for (int number = 1; std::ranges::count(m_draft.layers, name, &PythonLayer::name) > 0; ++number)
            name = wanted + "_" + std::to_string(number);
        return name;
    }

    PythonDraft& m_draft;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::optional<std::int64_t>>, PythonTensor>
        m_moved;
};

} // namespace

void addHostTransfers(PythonDraft& draft) {
    HostBorder(draft).add();
}

} // namespace core
