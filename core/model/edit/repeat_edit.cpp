#include "core/model/edit/repeat_edit.h"

#include "core/model/edit/edit_rules.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace core {

namespace {

// Equality but for names
// ---------------------------------------------------------------------------------------

constexpr std::size_t mixedIn(std::size_t hash, std::size_t value) {
    return hash ^ (value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2));
}

/// Names of layers, of their wrapped layers and of variables say nothing about what is computed.
bool isName(const std::string& key) {
    return key == "name";
}

std::size_t hashButNames(const Json& value) {
    if (!value.is_structured())
        return std::hash<Json>()(value);
    std::size_t hash = value.size();
    for (const auto& [key, entry] : value.items()) {
        if (value.is_object() && isName(key))
            continue;
        if (value.is_object())
            hash = mixedIn(hash, std::hash<std::string>()(key));
        hash = mixedIn(hash, hashButNames(entry));
    }
    return hash;
}

bool equalButNames(const Json& a, const Json& b) {
    if (!a.is_structured() || a.type() != b.type())
        return a == b;
    if (a.size() != b.size())
        return false;
    if (a.is_array())
        return std::equal(a.begin(), a.end(), b.begin(), equalButNames);
    return std::ranges::all_of(a.items(), [&](const auto& entry) {
        const auto other = b.find(entry.key());
        return other != b.end() && (isName(entry.key()) || equalButNames(entry.value(), *other));
    });
}

bool equalButNames(const ModelGraph& a, const ModelGraph& b);

bool equalButNames(const Layer& a, const Layer& b) {
    const bool haveModels = a.model != nullptr && b.model != nullptr;
    if (a.className != b.className || a.trainable != b.trainable ||
        (a.model == nullptr) != (b.model == nullptr))
        return false;
    return equalButNames(a.config, b.config) &&
           (!haveModels || a.model == b.model || equalButNames(*a.model, *b.model));
}

bool equalButNames(const ModelGraph& a, const ModelGraph& b) {
    return a.kind == b.kind && a.invocations == b.invocations && a.inputs == b.inputs &&
           a.outputs == b.outputs && a.layers.size() == b.layers.size() &&
           std::equal(a.layers.begin(), a.layers.end(), b.layers.begin(),
                      [](const Layer& one, const Layer& other) { return equalButNames(one, other); });
}

std::size_t hashButNames(const Layer& layer) {
    std::size_t hash = std::hash<std::string>()(layer.className);
    hash = mixedIn(hash, hashButNames(layer.config));
    if (layer.model != nullptr) {
        for (const Layer& inner : layer.model->layers)
            hash = mixedIn(hash, hashButNames(inner));
    }
    return mixedIn(hash, layer.trainable ? 1 : 2);
}

// Pieces
// -----------------------------------------------------------------------------------------------

/// Calls between two places where a single tensor is all that goes on.
struct Segment {
    /// In the order in which they run: [first, last) of that order.
    std::size_t first = 0;
    std::size_t last = 0;
    TensorRef input;
    TensorRef output;
    std::size_t hash = 0;
};

/// The order in which a model was made, each call after what it reads: what was drawn as one thing stays
/// together, while the order of a run lets what feeds a piece from beside begin as late as it can.
std::vector<InvocationId> storedOrder(const ModelGraph& graph) {
    std::vector<InvocationId> order;
    std::vector<bool> isEntered(graph.invocations.size(), false);
    std::vector<bool> isDone(graph.invocations.size(), false);
    std::vector<InvocationId> waiting;
    for (const LayerInvocation& each : graph.invocations) {
        waiting.push_back(each.id);
        while (!waiting.empty()) {
            const InvocationId id = waiting.back();
            if (isDone[id.index()] || isEntered[id.index()]) {
                waiting.pop_back();
                if (!isDone[id.index()])
                    order.push_back(id);
                isDone[id.index()] = true;
                continue;
            }
            isEntered[id.index()] = true;
            const std::vector<TensorRef>& inputs = graph.invocation(id).inputs;
            for (auto input = inputs.rbegin(); input != inputs.rend(); ++input) {
                if (!isEntered[input->invocation.index()])
                    waiting.push_back(input->invocation);
            }
        }
    }
    return order;
}

class Cutter {
public:
    /// `beside`: tensors that pieces read beside the one that goes on through all of them.
    Cutter(const ModelGraph& graph, std::set<TensorRef> beside)
        : m_graph(graph)
        , m_beside(std::move(beside))
        , m_order(m_beside.empty() ? postOrder(graph) : storedOrder(graph))
        , m_placeOf(graph.invocations.size(), 0)
        , m_callsOf(graph.layers.size(), 0) {
        for (std::size_t i = 0; i < m_order.size(); ++i)
            m_placeOf[m_order[i].index()] = i;
        for (const LayerInvocation& invocation : graph.invocations)
            ++m_callsOf[invocation.layer.index()];
    }

    [[nodiscard]] std::vector<Segment> segments() const {
        const std::vector<std::optional<TensorRef>> narrow = narrowPlaces();
        std::vector<Segment> list;
        std::optional<std::size_t> from;
        for (std::size_t at = 0; at < narrow.size(); ++at) {
            if (!narrow[at])
                continue;
            if (from)
                list.push_back(segment(*from, at, *narrow[*from], *narrow[at]));
            from = at;
        }
        return list;
    }
    [[nodiscard]] LayerId layerAt(std::size_t place) const {
        return m_graph.invocation(m_order[place]).layer;
    }

    [[nodiscard]] bool areEqual(const Segment& a, const Segment& b) const {
        if (a.hash != b.hash || a.last - a.first != b.last - b.first ||
            insideOf(a, a.output) != insideOf(b, b.output))
            return false;
        for (std::size_t i = 0; i < a.last - a.first; ++i) {
            const LayerInvocation& one = m_graph.invocation(m_order[a.first + i]);
            const LayerInvocation& other = m_graph.invocation(m_order[b.first + i]);
            if (one.inputs.size() != other.inputs.size() || one.arguments != other.arguments ||
                !equalButNames(m_graph.layer(one.layer), m_graph.layer(other.layer)))
                return false;
            for (std::size_t k = 0; k < one.inputs.size(); ++k) {
                const bool isBeside = m_beside.contains(one.inputs[k]) || m_beside.contains(other.inputs[k]);
                if (isBeside ? one.inputs[k] != other.inputs[k]
                             : insideOf(a, one.inputs[k]) != insideOf(b, other.inputs[k]))
                    return false;
            }
        }
        return true;
    }

private:
    /// Between which calls a single tensor is all that is still read: by the place of the call behind it.
    /// What the model gives is read to the end.
    [[nodiscard]] std::vector<std::optional<TensorRef>> narrowPlaces() const {
        std::map<TensorRef, std::size_t> lastUse;
        for (const LayerInvocation& invocation : m_graph.invocations) {
            const std::size_t place = m_placeOf[invocation.id.index()];
            for (const TensorRef& input : invocation.inputs) {
                std::size_t& last = lastUse.try_emplace(input, 0).first->second;
                last = std::max(last, place);
            }
        }
        for (const TensorRef& output : m_graph.outputs)
            lastUse[output] = m_order.size();
        // Begin and end of each tensor: how many there are, and which one where it is alone.
        std::vector<int> count(m_order.size() + 2, 0);
        std::vector<std::size_t> sum(m_order.size() + 2, 0);
        std::vector<TensorRef> tensors;
        std::map<std::size_t, TensorRef> besideFrom;
        for (const auto& [tensor, last] : lastUse) {
            const std::size_t from = m_placeOf[tensor.invocation.index()] + 1;
            if (m_beside.contains(tensor)) {
                besideFrom[from] = tensor;
                continue;
            }
            ++count[from];
            --count[last + 1];
            sum[from] += tensors.size();
            sum[last + 1] -= tensors.size();
            tensors.push_back(tensor);
        }
        std::vector<std::optional<TensorRef>> narrow(m_order.size() + 1);
        int alive = 0;
        std::size_t which = 0;
        for (std::size_t at = 0; at <= m_order.size(); ++at) {
            alive += count[at];
            which += sum[at];
            if (alive == 1)
                narrow[at] = tensors[which];
            // What comes out of one run may be read beside another.
            else if (const auto born = besideFrom.find(at); alive == 0 && born != besideFrom.end())
                narrow[at] = born->second;
        }
        return narrow;
    }

    /// A tensor by its place in the segment; nothing: the one that comes in.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::uint32_t>>
    insideOf(const Segment& segment, const TensorRef& tensor) const {
        const std::size_t place = m_placeOf[tensor.invocation.index()];
        if (place < segment.first || place >= segment.last)
            return std::nullopt;
        return std::pair(place - segment.first, tensor.output);
    }

    [[nodiscard]] Segment segment(std::size_t first, std::size_t last, const TensorRef& input,
                                  const TensorRef& output) const {
        Segment made{first, last, input, output, last - first};
        for (std::size_t i = first; i < last; ++i) {
            const LayerInvocation& invocation = m_graph.invocation(m_order[i]);
            const Layer& layer = m_graph.layer(invocation.layer);
            // Unlike all others: it cannot be copied.
            if (layer.className == "InputLayer" || m_callsOf[invocation.layer.index()] > 1 || input == output)
                made.hash = mixedIn(made.hash, first + 1);
            made.hash = mixedIn(made.hash, hashButNames(layer));
            for (const TensorRef& each : invocation.inputs) {
                const auto inside = insideOf(made, each);
                if (m_beside.contains(each) && !inside)
                    made.hash = mixedIn(made.hash, each.invocation.index() + 3);
                made.hash = mixedIn(made.hash, inside ? inside->first * 7 + inside->second + 1 : 0);
            }
        }
        return made;
    }

    const ModelGraph& m_graph;
    std::set<TensorRef> m_beside;
    std::vector<InvocationId> m_order;
    std::vector<std::size_t> m_placeOf;
    std::vector<std::size_t> m_callsOf;
};

// Runs
// -------------------------------------------------------------------------------------------------

/// `period` segments, `times` times in a row, from one of them on.
struct Run {
    std::size_t from = 0;
    std::size_t period = 0;
    std::size_t times = 0;

    [[nodiscard]] std::size_t end() const { return from + period * times; }
};

/// Longer pieces are no blocks that somebody repeats, and looking for them takes long.
constexpr std::size_t longestPeriod = 64;

std::size_t commonBeginning(const std::string& a, const std::string& b) {
    return std::size_t(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// As many letters as all of these names begin with, up to a separator.
std::size_t sharedBeginning(const std::vector<std::string>& names) {
    std::size_t shared = names.front().size();
    for (const std::string& name : names)
        shared = std::min(shared, commonBeginning(names.front(), name));
    if (names.size() == 1)
        return shared;
    const std::size_t separator = names.front().substr(0, shared).find_last_of("_/.");
    return separator == std::string::npos ? 0 : separator;
}

class RunFinder {
public:
    RunFinder(const ModelGraph& graph, const Cutter& cutter, std::vector<Segment> segments)
        : m_graph(graph)
        , m_cutter(cutter)
        , m_segments(std::move(segments)) {
        for (std::size_t period = 1; period <= std::min(longestPeriod, m_segments.size() / 2); ++period) {
            std::vector<std::size_t> same(m_segments.size() + 1, 0);
            for (std::size_t i = m_segments.size() - period; i-- > 0;)
                same[i] = m_segments[i].hash == m_segments[i + period].hash ? same[i + 1] + 1 : 0;
            m_same.push_back(std::move(same));
        }
    }

    [[nodiscard]] std::vector<Run> runs() const {
        std::vector<Run> list;
        for (std::size_t at = 0; at < m_segments.size();) {
            Run best = longestAt(at);
            if (best.times >= 2)
                best = verified(rotated(best));
            if (best.times >= 2 && layersIn(best) * best.times >= 3) {
                at = best.end();
                list.push_back(best);
            } else {
                ++at;
            }
        }
        return list;
    }

    [[nodiscard]] RepeatedLayers layersOf(const Run& run) const {
        RepeatedLayers layers;
        for (std::size_t copy = 0; copy < run.times; ++copy) {
            const Segment& first = m_segments[run.from + copy * run.period];
            const Segment& last = m_segments[run.from + (copy + 1) * run.period - 1];
            std::vector<LayerId>& list = layers.copies.emplace_back();
            for (std::size_t place = first.first; place < last.last; ++place)
                list.push_back(m_cutter.layerAt(place));
            layers.outputs.push_back(last.output);
            layers.input = first.input;
        }
        return layers;
    }

private:
    [[nodiscard]] std::size_t timesAt(std::size_t from, std::size_t period) const {
        return m_same[period - 1][from] / period + 1;
    }
    [[nodiscard]] std::size_t layersIn(const Run& run) const {
        return m_segments[run.from + run.period - 1].last - m_segments[run.from].first;
    }

    /// The one that reaches farthest; of those the shortest piece.
    [[nodiscard]] Run longestAt(std::size_t at) const {
        Run best;
        for (std::size_t period = 1; period <= m_same.size(); ++period) {
            const std::size_t times = timesAt(at, period);
            if (times >= 2 && times * period > best.times * best.period)
                best = {at, period, times};
        }
        return best;
    }

    /// Begins where the names of the first piece have most in common.
    [[nodiscard]] Run rotated(const Run& run) const {
        Run best = run;
        std::size_t most = 0;
        for (std::size_t shift = 0; shift < run.period; ++shift) {
            const Run other{run.from + shift, run.period, timesAt(run.from + shift, run.period)};
            if (other.times < 2 || other.times + 1 < run.times)
                break;
            std::vector<std::string> names;
            const RepeatedLayers piece = layersOf({other.from, other.period, 1});
            for (const LayerId id : piece.copies.front())
                names.push_back(m_graph.layer(id).name);
            const std::size_t shared = sharedBeginning(names);
            if (shift > 0 && shared <= most)
                continue;
            most = shared;
            best = other;
        }
        return best;
    }

    /// Equal hashes are not yet equal layers.
    [[nodiscard]] Run verified(Run run) const {
        for (std::size_t i = run.period; i < run.period * run.times; ++i) {
            if (!m_cutter.areEqual(m_segments[run.from + i - run.period], m_segments[run.from + i])) {
                run.times = i / run.period;
                break;
            }
        }
        return run;
    }

    const ModelGraph& m_graph;
    const Cutter& m_cutter;
    std::vector<Segment> m_segments;
    /// By period − 1: how many segments from each one on equal the one a period behind them.
    std::vector<std::vector<std::size_t>> m_same;
};

// Names
// ------------------------------------------------------------------------------------------------

bool isDigitOfName(char c) {
    return c >= '0' && c <= '9';
}

/// A name in pieces that are numbers or have no digit.
std::vector<std::string> pieces(const std::string& name) {
    std::vector<std::string> list;
    for (const char c : name) {
        if (list.empty() || isDigitOfName(list.back().back()) != isDigitOfName(c))
            list.emplace_back();
        list.back() += c;
    }
    return list;
}

std::optional<std::int64_t> numberIn(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

/// The name that comes `steps` after `last`, going on as from `before` to it; nothing where they do not
/// count.
std::optional<std::string> nextName(const std::string& before, const std::string& last, std::int64_t steps) {
    std::vector<std::string> one = pieces(before);
    std::vector<std::string> other = pieces(last);
    // Keras leaves the number of the first one out: "dense", "dense_1".
    if (one.size() + 2 == other.size() && before + "_1" == last)
        return fmt::format("{}_{}", before, 1 + steps);
    if (one.size() != other.size())
        return std::nullopt;
    std::optional<std::size_t> counted;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i] == other[i])
            continue;
        if (counted)
            return std::nullopt;
        counted = i;
    }
    if (!counted)
        return std::nullopt;
    const auto from = numberIn(one[*counted]);
    const auto to = numberIn(other[*counted]);
    if (!from || !to || *to <= *from)
        return std::nullopt;
    const std::string number = std::to_string(*to + (*to - *from) * steps);
    // "07" goes on with "08".
    const std::size_t width = other[*counted].size();
    other[*counted] = number.size() < width ? std::string(width - number.size(), '0') + number : number;
    std::string name;
    for (const std::string& piece : other)
        name += piece;
    return name;
}

std::string copyName(const ModelGraph& graph, const RepeatedLayers& run, std::size_t place,
                     std::size_t steps) {
    const std::string& last = graph.layer(run.copies.back()[place]).name;
    if (run.times() > 1) {
        const std::string& before = graph.layer(run.copies[run.times() - 2][place]).name;
        if (const auto next = nextName(before, last, std::int64_t(steps)))
            return *next;
    }
    return last;
}

/// Whoever reads one tensor reads another instead, layers of the run apart.
void redirect(ModelGraph& graph, const TensorRef& from, const TensorRef& to) {
    for (LayerInvocation& invocation : graph.invocations)
        std::ranges::replace(invocation.inputs, from, to);
    std::ranges::replace(graph.outputs, from, to);
}

Result<ModelGraph> grown(const ModelGraph& graph, const RepeatedLayers& run, std::size_t times) {
    ModelGraph edited = graph;
    const std::vector<LayerId>& pattern = run.copies.back();
    std::map<LayerId, const LayerInvocation*> callOf;
    for (const LayerInvocation& invocation : graph.invocations)
        callOf[invocation.layer] = &invocation;
    std::set<std::string, std::less<>> taken;
    for (const Layer& layer : graph.layers)
        taken.insert(layer.name);
    TensorRef last = run.outputs.back();
    std::vector<std::size_t> mine;
    for (std::size_t step = 1; run.times() + step <= times; ++step) {
        std::map<InvocationId, InvocationId> calls;
        for (std::size_t place = 0; place < pattern.size(); ++place) {
            Layer copy = graph.layer(pattern[place]);
            copy.id = LayerId(edited.layers.size());
            const std::string wanted = copyName(graph, run, place, step);
            copy.name = wanted;
            for (std::size_t n = 1; !taken.insert(copy.name).second; ++n)
                copy.name = fmt::format("{}_{}", wanted, n);
            if (!copy.isNestedModel())
                copy.config["name"] = copy.name;
            LayerInvocation call = *callOf.at(pattern[place]);
            const InvocationId original = call.id;
            call.id = calls[original] = InvocationId(edited.invocations.size());
            call.layer = copy.id;
            // What is made in the piece, what goes on through all of them, or what each reads beside it.
            for (TensorRef& tensor : call.inputs) {
                const auto inside = calls.find(tensor.invocation);
                if (inside != calls.end())
                    tensor = {inside->second, tensor.output};
                else if (tensor == run.input)
                    tensor = last;
            }
            edited.layers.push_back(std::move(copy));
            mine.push_back(edited.invocations.size());
            edited.invocations.push_back(std::move(call));
        }
        last = {calls.at(run.outputs.back().invocation), run.outputs.back().output};
    }
    // The first new copy alone still reads what the last one gave.
    const std::set<std::size_t> isNew(mine.begin(), mine.end());
    for (std::size_t i = 0; i < edited.invocations.size(); ++i) {
        if (!isNew.contains(i))
            std::ranges::replace(edited.invocations[i].inputs, run.outputs.back(), last);
    }
    std::ranges::replace(edited.outputs, run.outputs.back(), last);
    return settle(std::move(edited));
}

} // namespace

namespace {

/// Tensors that several calls read over a long stretch of the model, the longest first: they may go past
/// pieces that are repeated, as a mask or what an encoder gives.
std::vector<TensorRef> longTensors(const ModelGraph& graph) {
    constexpr std::size_t most = 4;
    constexpr std::size_t leastShare = 4;
    const std::vector<InvocationId> order = storedOrder(graph);
    std::vector<std::size_t> placeOf(graph.invocations.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i)
        placeOf[order[i].index()] = i;
    struct Uses {
        std::size_t first = 0;
        std::size_t last = 0;
        std::size_t count = 0;
    };
    std::map<TensorRef, Uses> uses;
    for (const LayerInvocation& invocation : graph.invocations) {
        for (const TensorRef& input : invocation.inputs) {
            const std::size_t place = placeOf[invocation.id.index()];
            Uses& use = uses.try_emplace(input, Uses{place, place, 0}).first->second;
            use.first = std::min(use.first, place);
            use.last = std::max(use.last, place);
            ++use.count;
        }
    }
    std::vector<std::pair<std::size_t, TensorRef>> found;
    for (const auto& [tensor, use] : uses) {
        if (use.count >= 2 && (use.last - use.first) * leastShare >= order.size())
            found.emplace_back(use.last - use.first, tensor);
    }
    std::ranges::stable_sort(found, std::ranges::greater(), &std::pair<std::size_t, TensorRef>::first);
    std::vector<TensorRef> tensors;
    for (const auto& [length, tensor] : found)
        tensors.push_back(tensor);
    tensors.resize(std::min(most, tensors.size()));
    return tensors;
}

std::vector<RepeatedLayers> repeatsBeside(const ModelGraph& graph, const std::set<TensorRef>& beside) {
    const Cutter cutter(graph, beside);
    const RunFinder finder(graph, cutter, cutter.segments());
    std::vector<RepeatedLayers> repeats;
    for (const Run& run : finder.runs())
        repeats.push_back(finder.layersOf(run));
    return repeats;
}

std::size_t layersOf(const std::vector<RepeatedLayers>& repeats) {
    std::size_t count = 0;
    for (const RepeatedLayers& run : repeats)
        count += run.copies.front().size() * run.times();
    return count;
}

} // namespace

std::vector<RepeatedLayers> findRepeats(const ModelGraph& graph) {
    std::vector<RepeatedLayers> best = repeatsBeside(graph, {});
    // Where most of the model is in them, nothing goes past them.
    if (2 * layersOf(best) >= graph.layers.size())
        return best;
    std::set<TensorRef> beside;
    for (const TensorRef& tensor : longTensors(graph)) {
        beside.insert(tensor);
        std::vector<RepeatedLayers> repeats = repeatsBeside(graph, beside);
        if (layersOf(repeats) > layersOf(best))
            best = std::move(repeats);
    }
    return best;
}

std::string repeatTitle(const ModelGraph& graph, const RepeatedLayers& run) {
    std::vector<std::string> names;
    for (const LayerId id : run.copies.front())
        names.push_back(graph.layer(id).name);
    std::string title = names.front().substr(0, sharedBeginning(names));
    while (!title.empty() &&
           (isDigitOfName(title.back()) || title.back() == '_' || title.back() == '/' || title.back() == '.'))
        title.pop_back();
    return title.empty() ? graph.layer(run.copies.front().front()).className : title;
}

Result<ModelGraph> withRepeatCount(const ModelGraph& graph, const RepeatedLayers& run, std::size_t times) {
    constexpr std::size_t most = 1000;
    if (times < 1 || times > most)
        return refuseEdit("times", graph.layer(run.copies.front().front()).name,
                          fmt::format("a block cannot be repeated {} times", times),
                          {fmt::format("choose 1 to {}", most)});
    if (times == run.times())
        return graph;
    if (times > run.times())
        return grown(graph, run, times);
    ModelGraph edited = graph;
    redirect(edited, run.outputs.back(), run.outputs[times - 1]);
    std::vector<LayerId> lost;
    for (std::size_t copy = times; copy < run.times(); ++copy)
        lost.insert(lost.end(), run.copies[copy].begin(), run.copies[copy].end());
    return removeLayers(edited, lost, Reconnect::No);
}

} // namespace core
