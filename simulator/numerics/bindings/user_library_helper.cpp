#include "simulator/numerics/bindings/user_library_helper.h"

#include "core/platform/shared_library.h"
#include "simulator/numerics/bindings/user_call.h"
#include "simulator/numerics/user_operation.h"

#include <map>

namespace simulator {
namespace {

UserAnswer answerOf(UserAnswer::Ending ending, const std::string& message = {}) {
    UserAnswer answer{ending};
    message.copy(answer.message.data(), answer.message.size() - 1);
    return answer;
}

class HeldLibrary {
public:
    explicit HeldLibrary(const std::string& path)
        : m_library(path) {
        if (!m_library.isLoaded()) {
            m_trouble = answerOf(UserAnswer::NotLoaded, m_library.reason());
            return;
        }
        const auto abi = reinterpret_cast<std::uint32_t (*)()>(m_library.symbol("ipu_workbench_user_abi"));
        const std::uint32_t version = abi == nullptr ? 0 : abi();
        if (abi == nullptr)
            m_trouble = answerOf(UserAnswer::NoInterface);
        else if (version != IPU_WORKBENCH_USER_ABI)
            m_trouble = answerOf(UserAnswer::OtherInterface, std::to_string(version));
    }

    UserAnswer call(std::span<std::byte> memory) {
        if (m_trouble.ending != UserAnswer::Fine)
            return m_trouble;
        const auto* number = reinterpret_cast<const std::int64_t*>(memory.data());
        const auto text = [&](std::int64_t offset, std::int64_t size) {
            return std::string(reinterpret_cast<const char*>(memory.data()) + offset,
                               static_cast<std::size_t>(size));
        };
        const std::string entry = text(number[0], number[1]);
        const std::string attributes = text(number[2], number[3]);
        const ipu_user_function function = named(entry);
        if (function == nullptr)
            return answerOf(UserAnswer::NoFunction);
        const auto inputs = static_cast<std::size_t>(number[4]);
        const auto outputs = static_cast<std::size_t>(number[5]);
        number += 6;
        std::vector<ipu_user_tensor> tensors(inputs + outputs);
        for (ipu_user_tensor& tensor : tensors) {
            tensor = {static_cast<std::int32_t>(number[0]), number + 2,
                      reinterpret_cast<float*>(memory.data() + number[1])};
            number += 2 + tensor.rank;
        }
        UserAnswer answer;
        const ipu_user_call one{IPU_WORKBENCH_USER_ABI,
                                static_cast<std::uint32_t>(inputs),
                                static_cast<std::uint32_t>(outputs),
                                static_cast<std::uint32_t>(answer.message.size()),
                                tensors.data(),
                                tensors.data() + inputs,
                                attributes.c_str(),
                                answer.message.data()};
        answer.ending = function(&one) == 0 ? UserAnswer::Fine : UserAnswer::Failed;
        answer.message.back() = 0;
        return answer;
    }

private:
    ipu_user_function named(const std::string& entry) {
        const auto known = m_functions.find(entry);
        if (known != m_functions.end())
            return known->second;
        const auto found = reinterpret_cast<ipu_user_function>(m_library.symbol(entry));
        m_functions.emplace(entry, found);
        return found;
    }

    core::SharedLibrary m_library;
    UserAnswer m_trouble;
    std::map<std::string, ipu_user_function> m_functions;
};

} // namespace

void holdUserLibrary(std::string_view, std::span<const std::string> arguments,
                     const core::HelperAnswer& asker) {
    HeldLibrary library(arguments[0]);
    core::SharedMemory memory(core::helperMemory());
    std::uint64_t bytes = 0;
    while (asker.read(std::as_writable_bytes(std::span(&bytes, 1))) && memory.follow(bytes)) {
        const UserAnswer answer = library.call(memory.bytes());
        asker.write(std::as_bytes(std::span(&answer, 1)));
    }
}

} // namespace simulator
