// Connectionist temporal classification: loss by the forward-backward algorithm, decoding by prefix beam
// search.
#include "simulator/numerics/bindings/bind_operation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace simulator {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

double logAdd(double a, double b) {
    const double high = std::max(a, b);
    return high == never ? never : high + std::log1p(std::exp(std::min(a, b) - high));
}

/// data [T, N, C] of one sample as log probabilities.
class LogProbabilities {
public:
    LogProbabilities(const float* data, std::int64_t steps, std::int64_t samples, std::int64_t classes,
                     std::int64_t sample, bool fromLogits)
        : m_classes(classes)
        , m_values(static_cast<std::size_t>(steps * classes)) {
        for (std::int64_t t = 0; t < steps; ++t) {
            const float* row = data + (t * samples + sample) * classes;
            double total = 0;
            if (fromLogits) {
                const double high = *std::max_element(row, row + classes);
                for (std::int64_t c = 0; c < classes; ++c)
                    total += std::exp(row[c] - high);
                total = high + std::log(total);
            }
            for (std::int64_t c = 0; c < classes; ++c)
                m_values[static_cast<std::size_t>(t * classes + c)] = row[c] - total;
        }
    }
    [[nodiscard]] double at(std::int64_t t, std::int64_t c) const {
        return m_values[static_cast<std::size_t>(t * m_classes + c)];
    }

private:
    std::int64_t m_classes;
    std::vector<double> m_values;
};

/// Labels with blanks between and around them.
std::vector<std::int64_t> extendedLabels(const std::int32_t* labels, std::int64_t length,
                                         std::int64_t blank) {
    std::vector<std::int64_t> extended{blank};
    for (std::int64_t i = 0; i < length; ++i) {
        extended.push_back(labels[i]);
        extended.push_back(blank);
    }
    return extended;
}

/// Whether a path may jump over the blank before state s.
bool canSkip(const std::vector<std::int64_t>& labels, std::size_t s) {
    return s >= 2 && s % 2 == 1 && labels[s] != labels[s - 2];
}

using Table = std::vector<std::vector<double>>; // [steps][states]

Table forwardTable(const LogProbabilities& p, const std::vector<std::int64_t>& labels, std::int64_t steps) {
    Table alpha(static_cast<std::size_t>(steps), std::vector<double>(labels.size(), never));
    alpha[0][0] = p.at(0, labels[0]);
    if (labels.size() > 1)
        alpha[0][1] = p.at(0, labels[1]);
    for (std::size_t t = 1; t < alpha.size(); ++t) {
        for (std::size_t s = 0; s < labels.size(); ++s) {
            double sum = alpha[t - 1][s];
            if (s >= 1)
                sum = logAdd(sum, alpha[t - 1][s - 1]);
            if (canSkip(labels, s))
                sum = logAdd(sum, alpha[t - 1][s - 2]);
            alpha[t][s] = sum + p.at(static_cast<std::int64_t>(t), labels[s]);
        }
    }
    return alpha;
}

Table backwardTable(const LogProbabilities& p, const std::vector<std::int64_t>& labels, std::int64_t steps) {
    Table beta(static_cast<std::size_t>(steps), std::vector<double>(labels.size(), never));
    beta.back().back() = 0;
    if (labels.size() > 1)
        beta.back()[labels.size() - 2] = 0;
    for (std::size_t t = beta.size() - 1; t-- > 0;) {
        const auto next = static_cast<std::int64_t>(t) + 1;
        for (std::size_t s = 0; s < labels.size(); ++s) {
            double sum = beta[t + 1][s] + p.at(next, labels[s]);
            if (s + 1 < labels.size())
                sum = logAdd(sum, beta[t + 1][s + 1] + p.at(next, labels[s + 1]));
            if (s + 2 < labels.size() && canSkip(labels, s + 2))
                sum = logAdd(sum, beta[t + 1][s + 2] + p.at(next, labels[s + 2]));
            beta[t][s] = sum;
        }
    }
    return beta;
}

struct CtcOperands {
    const float* data;
    const std::int32_t* labels;
    const std::int32_t* labelLengths;
    const std::int32_t* dataLengths;
    float* loss;
    float* gradient;
    std::int64_t steps;
    std::int64_t samples;
    std::int64_t classes;
    std::int64_t labelExtent;
    CtcLoss attributes;
};

void ctcSample(const CtcOperands& ctc, std::int64_t sample) {
    const std::int64_t steps = std::clamp<std::int64_t>(ctc.dataLengths[sample], 0, ctc.steps);
    for (std::int64_t t = 0; t < ctc.steps; ++t)
        std::fill_n(ctc.gradient + (t * ctc.samples + sample) * ctc.classes, ctc.classes, 0.0F);
    ctc.loss[sample] = 0;
    if (steps == 0)
        return;
    const LogProbabilities p(ctc.data, steps, ctc.samples, ctc.classes, sample, ctc.attributes.fromLogits);
    const std::int64_t length = std::clamp<std::int64_t>(ctc.labelLengths[sample], 0, ctc.labelExtent);
    const std::vector<std::int64_t> labels =
        extendedLabels(ctc.labels + sample * ctc.labelExtent, length, ctc.attributes.blank);
    const Table alpha = forwardTable(p, labels, steps);
    const Table beta = backwardTable(p, labels, steps);
    double total = alpha.back().back();
    if (labels.size() > 1)
        total = logAdd(total, alpha.back()[labels.size() - 2]);
    ctc.loss[sample] = static_cast<float>(-total);
    for (std::int64_t t = 0; t < steps; ++t) {
        float* out = ctc.gradient + (t * ctc.samples + sample) * ctc.classes;
        std::vector<double> posterior(static_cast<std::size_t>(ctc.classes), 0);
        for (std::size_t s = 0; total != never && s < labels.size(); ++s) {
            const auto row = static_cast<std::size_t>(t);
            posterior[static_cast<std::size_t>(labels[s])] += std::exp(alpha[row][s] + beta[row][s] - total);
        }
        for (std::int64_t c = 0; c < ctc.classes; ++c) {
            const double softmax = ctc.attributes.fromLogits ? std::exp(p.at(t, c)) : 0;
            out[c] = static_cast<float>(softmax - posterior[static_cast<std::size_t>(c)]);
        }
    }
}

/// Probability of a prefix whose last step was a blank, or its last label.
struct Beam {
    double blank = never;
    double label = never;

    [[nodiscard]] double total() const { return logAdd(blank, label); }
};
using Prefix = std::vector<std::int32_t>;

std::vector<std::pair<Prefix, Beam>> best(const std::map<Prefix, Beam>& beams, std::int64_t count) {
    std::vector<std::pair<Prefix, Beam>> sorted(beams.begin(), beams.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.total() > b.second.total(); });
    if (static_cast<std::int64_t>(sorted.size()) > count)
        sorted.resize(static_cast<std::size_t>(count));
    return sorted;
}

std::vector<std::pair<Prefix, Beam>> searchBeams(const LogProbabilities& p, std::int64_t steps,
                                                 std::int64_t classes, const CtcBeamSearch& search) {
    std::vector<std::pair<Prefix, Beam>> beams{{{}, {0, never}}};
    for (std::int64_t t = 0; t < steps; ++t) {
        std::map<Prefix, Beam> next;
        for (const auto& [prefix, beam] : beams) {
            Beam& same = next[prefix];
            same.blank = logAdd(same.blank, beam.total() + p.at(t, search.blank));
            if (!prefix.empty())
                same.label = logAdd(same.label, beam.label + p.at(t, prefix.back()));
            for (std::int64_t c = 0; c < classes; ++c) {
                if (c == search.blank)
                    continue;
                Prefix longer = prefix;
                longer.push_back(static_cast<std::int32_t>(c));
                // A repeated label needs a blank between.
                const bool repeats = !prefix.empty() && prefix.back() == c;
                Beam& grown = next[longer];
                grown.label = logAdd(grown.label, (repeats ? beam.blank : beam.total()) + p.at(t, c));
            }
        }
        beams = best(next, search.beamWidth);
    }
    return beams;
}

std::int64_t blankOf(std::int64_t blank, std::int64_t classes) {
    return blank < 0 ? blank + classes : blank;
}

} // namespace

static void bindCtcLoss(BindRequest& request, BoundOperation& bound) {
    const Extents& data = request.inputs[0].extents();
    CtcOperands ctc{request.inputs[0].as(),
                    request.inputs[1].as<std::int32_t>(),
                    request.inputs[2].as<std::int32_t>(),
                    request.inputs[3].as<std::int32_t>(),
                    request.outputs[0].as(),
                    request.outputs[1].as(),
                    data[0],
                    data[1],
                    data[2],
                    request.inputs[1].extents().back(),
                    request.attributes<CtcLoss>()};
    ctc.attributes.blank = blankOf(ctc.attributes.blank, ctc.classes);
    bound.phases.push_back(
        rangePhase(WorkPartition{ctc.samples, 1},
                   [ctc](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       for (std::int64_t sample = begin; sample < end; ++sample)
                           ctcSample(ctc, sample);
                   }));
}

static void bindCtcBeamSearch(BindRequest& request, BoundOperation& bound) {
    const Extents& extents = request.inputs[0].extents();
    const std::int64_t steps = extents[0];
    const std::int64_t samples = extents[1];
    const std::int64_t classes = extents[2];
    auto search = request.attributes<CtcBeamSearch>();
    search.blank = blankOf(search.blank, classes);
    const float* data = request.inputs[0].as();
    const auto* lengths = request.inputs[1].as<std::int32_t>();
    float* probabilities = request.outputs[0].as();
    auto* labelLengths = request.outputs[1].as<std::int32_t>();
    auto* labels = request.outputs[2].as<std::int32_t>();
    const auto run = [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
        for (std::int64_t sample = begin; sample < end; ++sample) {
            const std::int64_t length = std::clamp<std::int64_t>(lengths[sample], 0, steps);
            const LogProbabilities p(data, length, samples, classes, sample, search.fromLogits);
            const auto beams = searchBeams(p, length, classes, search);
            for (std::int64_t path = 0; path < search.topPaths; ++path) {
                const std::int64_t at = sample * search.topPaths + path;
                const bool exists = path < static_cast<std::int64_t>(beams.size());
                const Prefix prefix = exists ? beams[static_cast<std::size_t>(path)].first : Prefix{};
                probabilities[at] =
                    static_cast<float>(exists ? beams[static_cast<std::size_t>(path)].second.total() : never);
                labelLengths[at] = static_cast<std::int32_t>(prefix.size());
                std::fill_n(labels + at * steps, steps, static_cast<std::int32_t>(search.blank));
                std::copy(prefix.begin(), prefix.end(), labels + at * steps);
            }
        }
    };
    bound.phases.push_back(rangePhase(WorkPartition{samples, 1}, run));
}

namespace {

void setBeamTypes(const BindRequest& request, OperandTypes& types) {
    wholeInputs<1>(request, types);
    wholeOutputs<1, 2>(request, types);
}

} // namespace

std::span<const PartRow<Binding>> ctcBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<CtcLoss>(), {bindCtcLoss, wholeInputs<1, 2, 3>}},
                                             {kindIndex<CtcBeamSearch>(), {bindCtcBeamSearch, setBeamTypes}}};
    return rows;
}

} // namespace simulator
