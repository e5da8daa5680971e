#include "core/profile/records/span_label.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

namespace core {

std::string spanLabel(const SpanRecord& span) {
    struct Label {
        std::string_view text;
        bool hasMicroBatch;
    };
    static constexpr std::array<Label, spanKindCount> labels{{{"F", true},
                                                              {"B", true},
                                                              {"R", true},
                                                              {"update", false},
                                                              {"exchange", false},
                                                              {"IPU copy", false},
                                                              {"all-reduce", false},
                                                              {"remote memory", false},
                                                              {"sync", false},
                                                              {"in ", true},
                                                              {"out ", true},
                                                              {"idle", false},
                                                              {"W", true}}};
    if (span.kind == SpanKind::Idle)
        return idleCauseLabel(span.cause);
    const Label& label = labels[static_cast<std::size_t>(span.kind)];
    if (!label.hasMicroBatch)
        return std::string(label.text);
    if (span.microBatch < 0)
        return std::string(label.text.substr(0, label.text.find(' ')));
    return fmt::format("{}{}", label.text, span.microBatch);
}

std::string_view spanKindLabel(SpanKind kind) {
    static constexpr std::array<std::string_view, spanKindCount> labels{
        "Forward",       "Backward", "Recompute", "Weight update", "Exchange", "IPU copy",       "All-reduce",
        "Remote memory", "Sync",     "Infeed",    "Outfeed",       "Idle",     "Weight gradient"};
    return labels[static_cast<std::size_t>(kind)];
}

std::string idleCauseLabel(IdleCause cause) {
    // The other words are those of files and answers.
    if (cause == IdleCause::Offload)
        return "remote memory";
    std::string label(toString(cause));
    std::replace(label.begin(), label.end(), '_', '-');
    return label;
}

} // namespace core
