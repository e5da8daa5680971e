#include "core/profile/queries/timeline_queries.h"

#include <array>
#include <cctype>
#include <charconv>

namespace core {

namespace {

struct KindWord {
    std::string_view word;
    SpanKind kind;
};
constexpr std::array<KindWord, 23> kindWords{{
    {"f", SpanKind::Forward},
    {"fwd", SpanKind::Forward},
    {"forward", SpanKind::Forward},
    {"b", SpanKind::Backward},
    {"bwd", SpanKind::Backward},
    {"backward", SpanKind::Backward},
    {"r", SpanKind::Recompute},
    {"recompute", SpanKind::Recompute},
    {"u", SpanKind::WeightUpdate},
    {"update", SpanKind::WeightUpdate},
    {"copy", SpanKind::InterIpuCopy},
    {"exchange", SpanKind::Exchange},
    {"all-reduce", SpanKind::AllReduce},
    {"sync", SpanKind::Sync},
    {"infeed", SpanKind::Infeed},
    {"outfeed", SpanKind::Outfeed},
    {"idle", SpanKind::Idle},
    {"gap", SpanKind::Idle},
    {"remote", SpanKind::RemoteMemory},
    {"weight_update", SpanKind::WeightUpdate},
    {"w", SpanKind::WeightGradient},
    {"wgrad", SpanKind::WeightGradient},
    {"weight_gradient", SpanKind::WeightGradient},
}};

struct CauseWord {
    std::string_view word;
    IdleCause cause;
};
constexpr std::array<CauseWord, 7> causeWords{{
    {"warm-up", IdleCause::WarmUp},
    {"drain", IdleCause::Drain},
    {"imbalance", IdleCause::Imbalance},
    {"transfer", IdleCause::Transfer},
    {"offload", IdleCause::Offload},
    {"host", IdleCause::Host},
    {"serial", IdleCause::Serial},
}};

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    bool isInside = false;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isspace(byte) != 0) {
            isInside = false;
            continue;
        }
        if (!isInside)
            words.emplace_back();
        isInside = true;
        words.back() += static_cast<char>(std::tolower(byte));
    }
    return words;
}

std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && end == text.data() + text.size() && number >= 0;
    return isWhole ? std::optional(number) : std::nullopt;
}

/// A word that wants the number behind it, joined ("b3") or apart ("stage 2"). False when it is none.
bool readNumbered(std::string_view word, std::int64_t number, SpanFilter& filter) {
    if (word == "stage")
        filter.stage = StageId(static_cast<std::size_t>(number));
    else if (word == "slot")
        filter.slot = number;
    else if (word == "mb" || word == "micro-batch" || word == "m")
        filter.microBatch = number;
    else if (word == "f" || word == "b" || word == "r")
        filter.microBatch = number;
    else
        return false;
    for (const KindWord& row : kindWords) {
        if (row.word == word)
            filter.kind = row.kind;
    }
    return true;
}

bool readNamed(std::string_view word, SpanFilter& filter) {
    for (const KindWord& row : kindWords) {
        if (row.word == word) {
            filter.kind = row.kind;
            return true;
        }
    }
    for (const CauseWord& row : causeWords) {
        if (row.word == word) {
            filter.kind = SpanKind::Idle;
            filter.cause = row.cause;
            return true;
        }
    }
    return false;
}

} // namespace

SpanFilter parseSpanFilter(std::string_view text) {
    const std::vector<std::string> words = wordsOf(text);
    SpanFilter filter;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const std::size_t digits = std::min(word.find_first_of("0123456789"), word.size());
        const std::optional<std::int64_t> joined = numberOf(word.substr(digits));
        if (joined && readNumbered(word.substr(0, digits), *joined, filter))
            continue;
        const std::optional<std::int64_t> next = i + 1 < words.size() ? numberOf(words[i + 1]) : std::nullopt;
        if (next && readNumbered(word, *next, filter)) {
            ++i;
            continue;
        }
        if (!readNamed(word, filter))
            filter.operation = word;
    }
    return filter;
}

} // namespace core
