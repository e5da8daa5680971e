// One text per line. Tokens become numbers as Keras' TextVectorization makes them: 0 pads, 1 is a token that
// the vocabulary does not have, its first token is 2.
#include "simulator/data/files/line_index.h"
#include "simulator/data/readers/dataset_readers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace simulator {
namespace {

constexpr std::string_view strippedPunctuation = "!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~'";

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

/// Bytes of the UTF-8 character at the start; damaged ones count one by one.
std::size_t characterLength(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    return std::min(length, text.size());
}

class Tokenizer {
public:
    Tokenizer(const DatasetRequest& request, std::unordered_map<std::string, std::int64_t> numbers)
        : m_numbers(std::move(numbers))
        , m_standardizes(textOf(request, "standardize", "lower_and_strip_punctuation") != "none")
        , m_isByCharacter(textOf(request, "split", "whitespace") == "character") {}

    /// The first tokens of a line, padded with 0.
    void write(std::string_view line, std::span<float> values) const {
        std::ranges::fill(values, 0.0F);
        const std::string text = standardized(line);
        std::string_view rest = text;
        for (float& value : values) {
            const std::string_view token = next(rest);
            if (token.empty())
                return;
            const auto found = m_numbers.find(std::string(token));
            value = found == m_numbers.end() ? 1.0F : static_cast<float>(found->second);
        }
    }

private:
    [[nodiscard]] std::string standardized(std::string_view line) const {
        if (!m_standardizes)
            return std::string(line);
        std::string text;
        for (const char c : line) {
            if (strippedPunctuation.find(c) == std::string_view::npos)
                text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
        return text;
    }
    [[nodiscard]] std::string_view next(std::string_view& rest) const {
        std::size_t length = 0;
        if (m_isByCharacter) {
            length = rest.empty() ? 0 : characterLength(rest);
        } else {
            while (!rest.empty() && isBlank(rest.front()))
                rest.remove_prefix(1);
            while (length < rest.size() && !isBlank(rest[length]))
                ++length;
        }
        const std::string_view token = rest.substr(0, length);
        rest.remove_prefix(length);
        return token;
    }

    std::unordered_map<std::string, std::int64_t> m_numbers;
    bool m_standardizes;
    bool m_isByCharacter;
};

core::Result<std::unordered_map<std::string, std::int64_t>> readVocabulary(const DatasetRequest& request) {
    const std::filesystem::path path = pathOf(request, "vocabulary");
    const auto bytes = ByteSource::open(path, request.memoryLimit);
    if (!bytes)
        return core::failure(bytes.error());
    std::unordered_map<std::string, std::int64_t> numbers;
    constexpr std::int64_t firstNumber = 2;
    const auto index =
        LineIndex::make(*bytes, [&](std::string_view line, std::int64_t number) -> core::Result<bool> {
            if (line.empty())
                return core::failure(datasetTrouble("dataset/vocabulary", path, fmt::format("{}:1", number),
                                                    "the line has no token", "give every line one token"));
            if (!numbers.emplace(std::string(line), number - 1 + firstNumber).second)
                return core::failure(datasetTrouble("dataset/vocabulary", path, fmt::format("{}:1", number),
                                                    fmt::format("the token \"{}\" occurs twice", line),
                                                    "give every token one line"));
            return false;
        });
    if (!index)
        return core::failure(index.error());
    if (numbers.empty())
        return core::failure(datasetTrouble("dataset/vocabulary", path, "", "holds no token",
                                            "give a file with one token per line"));
    return numbers;
}

core::Result<std::vector<float>> readLabels(const DatasetRequest& request,
                                            const std::filesystem::path& path) {
    const auto bytes = ByteSource::open(path, request.memoryLimit);
    if (!bytes)
        return core::failure(bytes.error());
    std::vector<float> labels;
    const auto index =
        LineIndex::make(*bytes, [&](std::string_view line, std::int64_t number) -> core::Result<bool> {
            while (!line.empty() && isBlank(line.back()))
                line.remove_suffix(1);
            double value = 0;
            const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
            if (error != std::errc() || end != line.data() + line.size() ||
                !std::isfinite(static_cast<float>(value)))
                return core::failure(datasetTrouble("dataset/number", path, fmt::format("{}:1", number),
                                                    fmt::format("\"{}\" is not a finite number", line),
                                                    "write one number per line, class numbers from 0"));
            labels.push_back(static_cast<float>(value));
            return false;
        });
    if (!index)
        return core::failure(index.error());
    return labels;
}

class TextSource final : public SampleSource {
public:
    TextSource(ByteSource bytes, LineIndex lines, Tokenizer tokenizer,
               std::optional<std::vector<float>> labels, std::int64_t length, bool isShifted)
        : m_bytes(std::move(bytes))
        , m_lines(std::move(lines))
        , m_tokenizer(std::move(tokenizer))
        , m_labels(std::move(labels))
        , m_length(length)
        , m_inputs{{m_bytes.path().string(), {length}}} {
        if (isShifted)
            m_targets.push_back({m_bytes.path().string(), {length}});
        else if (m_labels)
            m_targets.push_back({m_bytes.path().string(), {}});
    }

    [[nodiscard]] std::int64_t samples() const override { return m_lines.size(); }
    [[nodiscard]] const std::vector<SampleField>& inputs() const override { return m_inputs; }
    [[nodiscard]] const std::vector<SampleField>& targets() const override { return m_targets; }

    [[nodiscard]] core::Result<void> readInput(std::size_t, std::int64_t sample,
                                               std::span<float> values) const override {
        const auto line = m_lines.line(m_bytes, sample);
        if (!line)
            return core::failure(line.error());
        m_tokenizer.write(*line, values);
        return {};
    }
    [[nodiscard]] core::Result<void> readTarget(std::size_t, std::int64_t sample,
                                                std::span<float> values) const override {
        if (m_labels) {
            values[0] = (*m_labels)[static_cast<std::size_t>(sample)];
            return {};
        }
        std::vector<float> tokens(static_cast<std::size_t>(m_length) + 1);
        auto result = readInput(0, sample, tokens);
        std::copy(tokens.begin() + 1, tokens.end(), values.begin());
        return result;
    }

private:
    ByteSource m_bytes;
    LineIndex m_lines;
    Tokenizer m_tokenizer;
    std::optional<std::vector<float>> m_labels;
    std::int64_t m_length;
    std::vector<SampleField> m_inputs;
    std::vector<SampleField> m_targets;
};

} // namespace

OpenedDataset openText(const DatasetRequest& request) {
    const std::filesystem::path path = pathOf(request, "file");
    auto bytes = ByteSource::open(path, request.memoryLimit);
    if (!bytes)
        return core::failure(bytes.error());
    auto lines = LineIndex::make(*bytes, [](std::string_view, std::int64_t) { return true; });
    if (!lines)
        return core::failure(lines.error());
    auto numbers = readVocabulary(request);
    if (!numbers)
        return core::failure(numbers.error());
    std::optional<std::vector<float>> labels;
    const bool isShifted = switchOf(request, "next_token", false);
    if (const auto labelPath = pathOf(request, "labels"); !labelPath.empty()) {
        if (isShifted)
            return core::failure(datasetTrouble("dataset/two-targets", path, "",
                                                "both \"labels\" and \"next_token\" name the targets",
                                                "leave one of them out"));
        auto read = readLabels(request, labelPath);
        if (!read)
            return core::failure(read.error());
        if (static_cast<std::int64_t>(read->size()) != lines->size())
            return core::failure(datasetTrouble(
                "dataset/sample-counts", labelPath, "",
                fmt::format("has {} targets for {} lines of {}", read->size(), lines->size(), path.string()),
                "give files that belong together"));
        labels = std::move(*read);
    }
    return std::make_shared<TextSource>(std::move(*bytes), std::move(*lines),
                                        Tokenizer(request, std::move(*numbers)), std::move(labels),
                                        integerOf(request, "length", 1), isShifted);
}

} // namespace simulator
