// Loops, and conditions on what only a run knows.
#include "core/interchange/python/language/control/repeated_round.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

using Statement = PythonStatement::Kind;

/// Rounds of a loop over samples that are followed one by one, and of one `while`, before it is endless.
constexpr int mostRounds = 100000;
constexpr int mostWhileRounds = 500000;
/// Rounds of a `while` of a generator.
constexpr int mostYields = 4096;

/// Whether a block may leave the loop around it before its end; `isInner`: within a loop of its own.
bool leavesLoop(const PythonBlock& block, bool isInner = false) {
    return std::ranges::any_of(block, [&](const PythonStatement& entry) {
        if (entry.kind == Statement::Return || (entry.kind == Statement::Break && !isInner))
            return true;
        if (entry.kind == Statement::Function || entry.kind == Statement::Class)
            return false;
        const bool isLoop = entry.kind == Statement::For || entry.kind == Statement::While;
        return leavesLoop(entry.body, isInner || isLoop) || leavesLoop(entry.orElse, isInner) ||
               leavesLoop(entry.handlers, isInner) || leavesLoop(entry.atEnd, isInner);
    });
}

/// Whether a block may leave the rest of a round of the loop around it out.
bool leavesRound(const PythonBlock& block) {
    return std::ranges::any_of(block, [&](const PythonStatement& entry) {
        if (entry.kind == Statement::Continue)
            return true;
        const bool isOther = entry.kind == Statement::Function || entry.kind == Statement::Class ||
                             entry.kind == Statement::For || entry.kind == Statement::While;
        return !isOther && (leavesRound(entry.body) || leavesRound(entry.orElse) ||
                            leavesRound(entry.handlers) || leavesRound(entry.atEnd));
    });
}

/// Whether a condition asks for results that are no numbers any more: np.isnan(loss).
bool asksForNumbers(const PythonExpression& condition) {
    constexpr std::array<std::string_view, 6> guards{"isnan",     "is_nan", "isfinite",
                                                     "is_finite", "isinf",  "is_inf"};
    return std::ranges::find(guards, condition.text) != guards.end() ||
           std::ranges::any_of(condition.children, asksForNumbers);
}

/// Tells the library of a loop as long as it is followed.
struct FollowedLoop {
    FollowedLoop(PythonLibrary& told, const PythonStatement& entry, std::int64_t rounds, bool isFollowed)
        : library(told) {
        library.beginLoop(entry.targets.empty() ? "" : nameOf(entry.targets.front()), rounds, isFollowed,
                          entry.place);
    }
    ~FollowedLoop() { library.endLoop(); }
    FollowedLoop(const FollowedLoop&) = delete;
    FollowedLoop& operator=(const FollowedLoop&) = delete;

    static std::string nameOf(const PythonExpression& target) {
        return target.children.empty() ? target.text : nameOf(target.children.front());
    }

    PythonLibrary& library;
};

/// Tells the library that a run may not come here.
struct UnknownWay {
    explicit UnknownWay(PythonLibrary& told)
        : library(told) {
        library.beginUnknownWay();
    }
    ~UnknownWay() { library.endUnknownWay(); }
    UnknownWay(const UnknownWay&) = delete;
    UnknownWay& operator=(const UnknownWay&) = delete;

    PythonLibrary& library;
};

/// Data, or the data whose attribute, or attribute of such, a value is; null: it is none.
const PythonData* dataOf(const PythonValue& value) {
    const PythonValue* owner = &value;
    while (const auto* method = owner->as<PythonMethod>())
        owner = method->owner.get();
    return owner->as<PythonData>();
}

} // namespace

bool PythonInterpreter::isOfRun(const PythonValue& value) {
    return dataOf(value) != nullptr;
}

void PythonInterpreter::refuseData(PythonPlace place, const PythonValue& value, std::string what,
                                   std::vector<std::string> cures) const {
    const PythonData* data = dataOf(value);
    if (data != nullptr && !data->cure.empty())
        cures.insert(cures.begin(), data->cure);
    if (data != nullptr && !data->origin.empty())
        what += fmt::format(": what {} answers is not in the program", quotedName(data->origin));
    else if (data != nullptr && !data->unread.empty())
        what += fmt::format(": what {} answers only a run knows", quotedName(data->unread));
    m_messages.refuse(place, "python/unsupported", std::move(what), std::move(cures));
}

/// A way that a run may take or not: it must leave everything that is imported as it is.
PythonInterpreter::Outcome::Kind PythonInterpreter::followUnknownWay(const std::function<Outcome()>& way,
                                                                     const PythonValue& condition,
                                                                     PythonPlace place) {
    const std::string before = m_library.state();
    PythonNames* const names = m_names;
    const int depth = m_depth;
    const PythonScope scope = m_library.enter({});
    const std::size_t open = m_openScopes.size();
    Outcome outcome;
    try {
        const UnknownWay unknown(m_library);
        outcome = way();
    } catch (const PythonRefusal& refusal) { // an error of the program that a run may raise
        if (refusal.errors.empty())
            throw;
    }
    m_names = names;
    m_depth = depth;
    m_openScopes.resize(open);
    m_scopesBefore.resize(open);
    m_library.leave(scope);
    const bool answers =
        outcome.kind == Outcome::Kind::Return && !outcome.value.isNone() && !outcome.value.is<PythonData>();
    if (answers || m_library.state() != before)
        refuseData(place, condition, "this condition depends on data",
                   {"write the value that it asks for in the program"});
    return outcome.kind;
}

void PythonInterpreter::noteUnknownEnd(Outcome::Kind kind, PythonPlace place, const PythonValue& condition,
                                       bool isGuard) {
    const bool leaves = kind == Outcome::Kind::Break || kind == Outcome::Kind::Return;
    if (kind == Outcome::Kind::Continue && m_names->openLoops > 0 && !m_names->unknownSkip)
        m_names->unknownSkip = {place, condition, m_library.progress()};
    if (!leaves || m_names->openLoops == 0)
        return;
    if (isGuard)
        m_messages.warn(place, "python/data-condition",
                        "whether the loop ends here is known only when it runs: it is followed to its end",
                        {"nothing is to be done: a run of the project stops where its loss is no number"});
    else if (!m_names->unknownEnd)
        m_names->unknownEnd = {place, condition, kind == Outcome::Kind::Return};
}

/// A loop that may be left before its last round: where what only a run knows says so, it is judged like a
/// `while` on data. How often it goes round must not matter to what is imported.
class PythonInterpreter::LeftLoop {
public:
    LeftLoop(PythonInterpreter& interpreter, const PythonBlock& body)
        : m_interpreter(interpreter)
        , m_function(leavesLoop(body) || leavesRound(body) ? interpreter.m_names : nullptr) {
        if (m_function == nullptr)
            return;
        m_names = interpreter.namesNow();
        m_progress = interpreter.m_library.progress();
        ++m_function->openLoops;
    }
    ~LeftLoop() {
        if (m_function == nullptr)
            return;
        m_function->unknownSkip.reset();
        const bool isOutermost = --m_function->openLoops == 0;
        if (isOutermost || (m_function->unknownEnd && !m_function->unknownEnd->endsAll))
            m_function->unknownEnd.reset();
    }
    LeftLoop(const LeftLoop&) = delete;
    LeftLoop& operator=(const LeftLoop&) = delete;

    /// Behind a round: whether the loop may have ended in it.
    bool mayHaveEnded() {
        if (m_function == nullptr)
            return false;
        if (const auto skip = std::exchange(m_function->unknownSkip, std::nullopt);
            skip && m_interpreter.m_library.progress() != skip->progress)
            m_interpreter.refuseData(
                skip->place, skip->condition,
                "a loop that leaves rounds out on data is not followed: which ones is known only when it "
                "runs",
                {"leave out what skips them, or choose them by the number of the round"});
        if (!m_function->unknownEnd)
            return false;
        const PythonUnknownEnd& end = *m_function->unknownEnd;
        m_interpreter.joinNames(m_names, m_names, end.condition);
        if (m_interpreter.m_library.progress() != m_progress)
            m_interpreter.refuseData(
                end.place, end.condition,
                "a loop that ends on data is not followed: how often it runs is known only when it runs",
                {"loop over range(N) with a number N, and leave out what ends it",
                 "give fit() tf.keras.callbacks.EarlyStopping() where the training should end by itself"});
        return true;
    }

private:
    PythonInterpreter& m_interpreter;
    PythonNames* m_function;
    PythonInterpreter::Names m_names;
    std::string m_progress;
};

PythonInterpreter::Outcome PythonInterpreter::ifStatement(const PythonStatement& entry) {
    const PythonExpression& condition = entry.values.at(0);
    const PythonValue value = evaluate(condition);
    if (!isOfRun(value))
        return block(isTrue(value, condition.place) ? entry.body : entry.orElse);
    const Names before = namesNow();
    const auto follow = [&](const PythonBlock& way) {
        noteUnknownEnd(followUnknownWay([&] { return block(way); }, value, condition.place), condition.place,
                       value, asksForNumbers(condition));
    };
    follow(entry.body);
    const Names first = namesNow();
    restoreNames(before);
    follow(entry.orElse);
    joinNames(before, first, value);
    return {};
}

PythonInterpreter::Names PythonInterpreter::namesNow() const {
    Names now;
    for (PythonNames* names = m_names; names != nullptr; names = names->outer) {
        now.scopes.emplace_back(names, names->values);
        for (const auto& entry : names->values)
            if (const auto* list = entry.second.as<PythonList>(); list != nullptr && !list->isIterator)
                now.lengths.emplace(list->items.get(), list->items->size());
    }
    return now;
}

void PythonInterpreter::restoreNames(const Names& names) {
    for (const auto& [scope, values] : names.scopes)
        scope->values = values;
}

void PythonInterpreter::joinNames(const Names& before, const Names& other, const PythonValue& condition) {
    const auto isPlain = [](const PythonValue& value) {
        return value.is<PythonConstant>() || value.is<PythonList>() || value.is<PythonDictionary>();
    };
    for (const auto& [scope, values] : other.scopes)
        for (const auto& [name, value] : values) {
            const auto here = scope->values.find(name);
            if (here == scope->values.end()) {
                scope->values.emplace(name, value);
                continue;
            }
            const auto* list = value.as<PythonList>();
            const auto length =
                list == nullptr ? before.lengths.end() : before.lengths.find(list->items.get());
            const bool isChanged = length != before.lengths.end() && length->second != list->items->size();
            const bool differs = isPlain(value) && isPlain(here->second) && !areEqual(value, here->second);
            if (isChanged || differs)
                here->second = partOfRun(condition);
        }
}

PythonInterpreter::Outcome PythonInterpreter::loopWithoutEnd(const PythonStatement& entry,
                                                             const PythonValue& source, PythonValue first) {
    const bool leaves = leavesLoop(entry.body);
    LeftLoop left(*this, entry.body);
    std::optional<PythonValue> value = std::move(first);
    for (int round = 0; value && leaves && round < mostRounds; ++round) {
        count(entry.place);
        const FollowedLoop loop(m_library, entry, PythonData::unknownCount, true);
        assign(entry.targets.at(0), *value);
        Outcome outcome = block(entry.body);
        if (left.mayHaveEnded() || outcome.kind == Outcome::Kind::Break)
            return {};
        if (outcome.kind == Outcome::Kind::Return)
            return outcome;
        value = m_library.nextWithoutEnd(*this, source, entry.place);
    }
    m_messages.refuse(entry.place, "python/endless",
                      leaves ? fmt::format("this loop does not end within {} rounds", mostRounds)
                             : "this loop does not end: what it goes over has no end, and nothing leaves it",
                      {"loop over range(N) with a number N", "leave it by `if round >= N: break`"});
}

PythonInterpreter::Outcome PythonInterpreter::forLoop(const PythonStatement& entry) {
    const PythonValue source = evaluate(entry.values.at(0));
    if (auto first = m_library.nextWithoutEnd(*this, source, entry.place))
        return loopWithoutEnd(entry, source, std::move(*first));
    if (const auto rounds = m_library.rounds(source))
        return loopOverSamples(entry, source, *rounds);
    const bool hasMembers = m_library.members(source).has_value();
    if (isOfRun(source) && !hasMembers)
        return loopOverSamples(entry, source, {partOfRun(source), PythonData::unknownCount, false});
    if (const PythonValue* many = manyIn(source)) {
        const auto rounds = source.items().size() == 1 ? m_library.rounds(*many) : std::nullopt;
        return loopOverSamples(
            entry, *many, rounds.value_or(PythonRounds{partOfRun(*many), PythonData::unknownCount, false}));
    }
    const auto* iterator = source.as<PythonList>();
    // What is left of an iterator with a name stays, and its body may take from it as well.
    const bool isTaken = iterator != nullptr && iterator->isIterator && iterator->items.use_count() > 1;
    const PythonValues items = isTaken ? PythonValues() : iterate(source, entry.place);
    const auto rounds = static_cast<std::int64_t>(isTaken ? iterator->items->size() : items.size());
    LeftLoop left(*this, entry.body);
    for (std::size_t next = 0; isTaken ? !iterator->items->empty() : next < items.size(); ++next) {
        count(entry.place);
        const FollowedLoop loop(m_library, entry, rounds, true);
        const PythonValue item = isTaken ? iterator->items->front() : items[next];
        if (isTaken)
            iterator->items->erase(iterator->items->begin());
        assign(entry.targets.at(0), item);
        Outcome outcome = block(entry.body);
        if (left.mayHaveEnded() || outcome.kind == Outcome::Kind::Break)
            return {};
        if (outcome.kind == Outcome::Kind::Return)
            return outcome;
    }
    if (iterator != nullptr && iterator->isCut)
        m_messages.refuse(entry.place, "python/endless",
                          "this loop does not end: what it goes over yields without end",
                          {"end it: for x in itertools.islice(generator, n)", "give the generator an end"});
    return block(entry.orElse);
}

/// Every round meets samples of the same kind: one stands for all, unless the loop may end before.
PythonInterpreter::Outcome PythonInterpreter::loopOverSamples(const PythonStatement& entry,
                                                              const PythonValue& source,
                                                              const PythonRounds& rounds) {
    const bool leaves = leavesLoop(entry.body);
    if (rounds.count == PythonData::endless && !leaves)
        m_messages.refuse(entry.place, "python/unsupported",
                          "this loop over samples has no end: the dataset repeats for ever",
                          {"end it: for batch in dataset.take(N)", "train with model.fit()"});
    const bool followsEach = leaves || m_library.followsEachRound(entry.place);
    LeftLoop left(*this, entry.body);
    const auto follow = [&](std::int64_t round) {
        count(entry.place);
        assign(entry.targets.at(0), rounds.isNumbered
                                        ? pythonList({pythonConstant(round), rounds.element}, true)
                                        : rounds.element);
        return block(entry.body);
    };
    if (rounds.count == PythonData::unknownCount) {
        const std::string before = m_library.state();
        const Names namesBefore = namesNow();
        Outcome outcome;
        {
            const FollowedLoop loop(m_library, entry, rounds.count, false);
            outcome = follow(0);
        }
        joinNames(namesBefore, namesBefore, source);
        if (m_library.state() != before)
            refuseData(entry.place, source,
                       "a loop over data is not followed: the program does not say how often it runs",
                       {"say how often: for batch in dataset.take(N)",
                        "train with model.fit(), or loop over range(N) with a number N"});
        return outcome.kind == Outcome::Kind::Return ? std::move(outcome) : Outcome();
    }
    if (!followsEach && rounds.count > 0) {
        PythonRepeatedRound round(m_names);
        const FollowedLoop loop(m_library, entry, rounds.count, false);
        follow(0);
        static_cast<void>(left.mayHaveEnded());
        round.repeat(entry, rounds.count, rounds.isNumbered, source);
    }
    for (std::int64_t i = 0; followsEach && (i < rounds.count || rounds.count == PythonData::endless); ++i) {
        if (i >= mostRounds)
            m_messages.refuse(entry.place, "python/endless",
                              fmt::format("this loop does not end within {} rounds", mostRounds),
                              {"end it: for batch in dataset.take(N)", "train with model.fit()"});
        const FollowedLoop loop(m_library, entry, rounds.count, true);
        Outcome outcome = follow(i);
        if (left.mayHaveEnded() || outcome.kind == Outcome::Kind::Break)
            return {};
        if (outcome.kind == Outcome::Kind::Return)
            return outcome;
    }
    return block(entry.orElse);
}

PythonInterpreter::Outcome PythonInterpreter::whileLoop(const PythonStatement& entry) {
    const PythonExpression& condition = entry.values.at(0);
    LeftLoop left(*this, entry.body);
    for (int round = 0;; ++round) {
        const PythonValue value = evaluate(condition);
        if (isOfRun(value)) {
            const std::string before = m_library.state();
            const Names namesBefore = namesNow();
            Outcome outcome;
            bool isFollowed = true;
            try {
                const FollowedLoop loop(m_library, entry, PythonData::unknownCount, false);
                outcome = block(entry.body);
            } catch (const PythonRefusal&) { // what it does matters as little as how often
                isFollowed = false;
            }
            joinNames(namesBefore, namesBefore, value);
            if (!isFollowed || m_library.state() != before)
                refuseData(
                    condition.place, value,
                    "a while loop on data is not followed: how often it runs is known only when it runs",
                    {"loop over range(N) with a number N", "train with model.fit()"});
            return outcome.kind == Outcome::Kind::Return ? std::move(outcome) : Outcome();
        }
        if (!isTrue(value, condition.place))
            break;
        count(entry.place);
        // A generator without end is asked for no more than that.
        if (round >= mostYields && m_names->yielded != nullptr && !m_names->yielded->empty()) {
            m_names->isCut = true;
            break;
        }
        if (round >= mostWhileRounds)
            m_messages.refuse(entry.place, "python/unsupported",
                              fmt::format("this while loop does not end within {} rounds", mostWhileRounds),
                              {"write the layers one after the other, or with a for loop over a list"});
        Outcome outcome = block(entry.body);
        if (left.mayHaveEnded() || outcome.kind == Outcome::Kind::Break)
            return {};
        if (outcome.kind == Outcome::Kind::Return)
            return outcome;
    }
    return block(entry.orElse);
}

} // namespace core
