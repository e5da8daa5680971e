#include "core/interchange/keras/hdf5_helper.h"

#include "core/interchange/archive/hdf5_handle.h"
#include "core/interchange/keras/keras_hdf5.h"
#include "core/platform/helper_process.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace core {

namespace {

constexpr std::string_view modelTask = "hdf5-model";
constexpr std::string_view weightsTask = "hdf5-weights";
/// Of names and of findings.
constexpr std::uint64_t longestText = std::uint64_t{1} << 16U;
constexpr std::uint64_t mostAxes = 64;

/// Numbers and texts of the helper's answer, as both sides lay them out.
class AnswerWriter {
public:
    explicit AnswerWriter(const HelperAnswer& answer)
        : m_answer(answer) {}

    void number(std::uint64_t value) const { m_answer.write(std::as_bytes(std::span(&value, 1))); }
    void text(std::string_view value) const {
        number(value.size());
        m_answer.write(std::as_bytes(std::span(value)));
    }
    void numbers(const std::vector<std::int64_t>& values) const {
        number(values.size());
        m_answer.write(std::as_bytes(std::span(values)));
    }
    void floats(const std::vector<float>& values) const {
        number(values.size());
        m_answer.write(std::as_bytes(std::span(values)));
    }
    void finding(const Diagnostic& diagnostic) const {
        number(0);
        text(diagnostic.code);
        text(diagnostic.message);
        text(diagnostic.hints.empty() ? std::string() : diagnostic.hints.front());
    }

private:
    const HelperAnswer& m_answer;
};

/// The other side. It believes nothing: every length has a limit.
class AnswerReader {
public:
    AnswerReader(HelperProcess& helper, std::string_view file)
        : m_helper(helper)
        , m_file(file) {}

    std::optional<std::uint64_t> number() {
        std::uint64_t value = 0;
        return m_helper.read(std::as_writable_bytes(std::span(&value, 1))) ? std::optional(value)
                                                                           : std::nullopt;
    }
    /// Up to `most` elements of a string or a vector.
    template <class Values>
    bool list(Values& values, std::uint64_t most) {
        const auto count = number();
        if (!count || *count > most)
            return false;
        values.resize(static_cast<std::size_t>(*count));
        return m_helper.read(std::as_writable_bytes(std::span(values)));
    }
    /// Whether an answer follows; else there is a finding, or nothing was said.
    bool hasAnswer(std::optional<Diagnostic>& finding) {
        const auto isAnswer = number();
        if (isAnswer != 0U)
            return isAnswer == 1U;
        std::string code;
        std::string message;
        std::string hint;
        if (list(code, longestText) && list(message, longestText) && list(hint, longestText))
            finding = hdf5Finding(code, m_file, message, hint);
        return false;
    }

private:
    HelperProcess& m_helper;
    std::string m_file;
};

bool readWeight(AnswerReader& answer, StoredWeight& weight, std::int64_t mostElements, std::uint64_t& left) {
    if (!answer.list(weight.layer, longestText) || !answer.list(weight.name, longestText) ||
        !answer.list(weight.extents, mostAxes))
        return false;
    std::int64_t elements = 1;
    for (const std::int64_t extent : weight.extents) {
        if (extent < 0 || __builtin_mul_overflow(elements, extent, &elements))
            return false;
    }
    const std::uint64_t most =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(mostElements), left / sizeof(float));
    if (!answer.list(weight.values, most))
        return false;
    left -= weight.values.size() * sizeof(float);
    return weight.values.size() == static_cast<std::size_t>(elements) ||
           (weight.values.empty() && elements > mostElements);
}

bool readWeights(AnswerReader& answer, std::vector<StoredWeight>& weights, std::size_t fileSize,
                 std::int64_t mostElements) {
    const auto count = answer.number();
    if (!count || *count > fileSize)
        return false;
    std::uint64_t left = hdf5ValueBytes(fileSize);
    for (std::uint64_t i = 0; i < *count; ++i) {
        if (!readWeight(answer, weights.emplace_back(), mostElements, left))
            return false;
    }
    return true;
}

/// What a helper answers to `task`; `take` reads it.
Result<void> ask(std::string_view task, std::string_view bytes, std::string_view file,
                 const std::vector<std::string>& arguments, const std::function<bool(AnswerReader&)>& take) {
    constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
    const std::uint64_t extra = bytes.size() / (16 * mebibyte);
    const HelperBounds bounds{8 * bytes.size() + 32 * mebibyte, 2 + extra, 20 + 4 * extra};
    const auto helper = HelperProcess::start(std::string(task), bytes, bounds, arguments);
    if (!helper) {
        Diagnostic finding =
            hdf5Finding("hdf5/no-process", file, "no process can be started to read the file",
                        "end other programs, or give this one more memory");
        finding.trouble = Trouble::World;
        return failure(std::move(finding));
    }
    AnswerReader answer(*helper, file);
    std::optional<Diagnostic> finding;
    const bool isTaken = answer.hasAnswer(finding) && take(answer);
    const HelperProcess::Ending ending = helper->finish();
    if (finding)
        return failure(std::move(*finding));
    if (ending == HelperProcess::Ending::TooSlow)
        return failure(hdf5Finding(
            "hdf5/limits", file,
            fmt::format("reading the HDF5 file takes more than {} s of a processor", bounds.processor),
            "it is damaged: save it again"));
    if (!isTaken || ending != HelperProcess::Ending::Done)
        return failure(
            hdf5Finding("hdf5/damaged", file,
                        "the HDF5 file cannot be read: it is damaged, or announces more than it holds",
                        "check that it is whole"));
    return {};
}

void answerModel(std::string_view input, std::span<const std::string>, const HelperAnswer& answer) {
    const AnswerWriter writer(answer);
    const auto text = readHdf5ModelText(input, "");
    if (!text)
        return writer.finding(text.error().front());
    writer.number(1);
    writer.text(*text);
}

void answerWeights(std::string_view input, std::span<const std::string> arguments,
                   const HelperAnswer& answer) {
    const AnswerWriter writer(answer);
    std::int64_t mostElements = 0;
    if (!arguments.empty())
        std::from_chars(arguments[0].data(), arguments[0].data() + arguments[0].size(), mostElements);
    const auto weights = readHdf5Weights(input, "", mostElements);
    if (!weights)
        return writer.finding(weights.error().front());
    writer.number(1);
    writer.number(weights->size());
    for (const StoredWeight& weight : *weights) {
        writer.text(weight.layer);
        writer.text(weight.name);
        writer.numbers(weight.extents);
        writer.floats(weight.values);
    }
}

const bool isModelTaskKnown = addHelperTask({modelTask, answerModel});
const bool isWeightsTaskKnown = addHelperTask({weightsTask, answerWeights});

} // namespace

Result<std::string> hdf5ModelText(std::string_view bytes, std::string_view file) {
    if (!HelperProcess::isAvailable())
        return readHdf5ModelText(bytes, file);
    std::string text;
    const auto asked = ask(modelTask, bytes, file, {},
                           [&](AnswerReader& answer) { return answer.list(text, bytes.size()); });
    return asked ? Result<std::string>(std::move(text)) : failure(asked.error());
}

Result<std::vector<StoredWeight>> hdf5Weights(std::string_view bytes, std::string_view file,
                                              std::int64_t mostElements) {
    if (!HelperProcess::isAvailable())
        return readHdf5Weights(bytes, file, mostElements);
    std::vector<StoredWeight> weights;
    const auto asked =
        ask(weightsTask, bytes, file, {std::to_string(mostElements)},
            [&](AnswerReader& answer) { return readWeights(answer, weights, bytes.size(), mostElements); });
    return asked ? Result<std::vector<StoredWeight>>(std::move(weights)) : failure(asked.error());
}

} // namespace core
