#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/draft/program_builder.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/language/library.h"

#include <unordered_map>

namespace core {

/// The libraries of a program: names mean what the tables of the APIs say, and build what `builder` holds.
class PythonApiLibrary : public PythonLibrary {
public:
    explicit PythonApiLibrary(PythonProgramBuilder& builder);

    [[nodiscard]] std::string fullName(const std::string& path) const override;
    [[nodiscard]] std::map<std::string, PythonValue> names() const override;
    [[nodiscard]] std::optional<PythonValue> find(const std::string& name,
                                                  const std::vector<std::string>& stars) const override;
    PythonValue call(PythonInterpreter& interpreter, const PythonValue& callee,
                     PythonArguments& arguments) override;
    [[nodiscard]] bool takesSamples(const PythonValue& callee) const override;
    [[nodiscard]] bool replacesFunction(const std::string& path) const override;
    std::optional<PythonValue> construct(PythonInterpreter& interpreter, const PythonClass& made,
                                         PythonArguments& arguments) override;
    [[nodiscard]] std::optional<PythonClassKind> classKind(const std::string& path) const override;
    void begin(const PythonInstance& object, PythonPlace place) override;
    std::optional<PythonValue> finish(PythonInterpreter& interpreter, const PythonInstance& object,
                                      PythonPlace place) override;
    std::optional<PythonValue> callObject(PythonInterpreter& interpreter, const PythonInstance& object,
                                          PythonArguments& arguments) override;
    std::optional<PythonValue> callInherited(PythonInterpreter& interpreter, const PythonInstance& object,
                                             const std::string& name, PythonArguments& arguments) override;
    /// At the program's end: what waits for it.
    void settle(PythonInterpreter& interpreter);
    PythonValue callDecorated(const std::string& function, const std::vector<PythonDecorator>& decorators,
                              PythonPlace place, const std::function<PythonValue()>& run) override;
    [[nodiscard]] std::optional<PythonValue> attribute(const PythonValue& owner,
                                                       const std::string& name) override;
    bool setAttribute(const PythonValue& owner, const std::string& name, const PythonValue& value,
                      PythonPlace place) override;
    bool setElement(const PythonValue& owner, const PythonValue& index, const PythonValue& value,
                    PythonPlace place) override;
    [[nodiscard]] std::optional<PythonValue> element(const PythonValue& owner, const PythonValue& index,
                                                     PythonPlace place) override {
        return remembered(PythonComputation::Kind::Element, "[]", owner, &index, place,
                          elementOf(owner, index, place));
    }
    [[nodiscard]] std::optional<PythonValues> unpack(const PythonValue& value, std::size_t count) override;
    [[nodiscard]] std::optional<PythonValues> members(const PythonValue& value) const override;
    [[nodiscard]] std::optional<PythonRounds> rounds(const PythonValue& value) const override;
    [[nodiscard]] std::optional<PythonValue>
    nextWithoutEnd(PythonInterpreter& interpreter, const PythonValue& value, PythonPlace place) override;
    /// Gradients may be clipped one by one.
    [[nodiscard]] bool followsParts() const override { return !m_builder.clipping.is_null(); }
    void beginLoop(const std::string& variable, std::int64_t rounds, bool isFollowed,
                   PythonPlace place) override {
        m_builder.loopsAround.push_back({place, rounds, isFollowed});
        m_builder.tally.beginLoop(variable, rounds, isFollowed);
        m_builder.launches.beginLoop(variable, rounds, isFollowed);
    }
    void endLoop() override {
        m_builder.loopsAround.pop_back();
        m_builder.tally.endLoop();
        m_builder.launches.endLoop();
    }
    [[nodiscard]] bool followsEachRound(PythonPlace place) const override {
        return m_builder.differingLoops.contains(PythonProgramBuilder::loopAt(place));
    }
    void beginUnknownWay() override { ++m_builder.unknownWays; }
    void endUnknownWay() override { --m_builder.unknownWays; }
    [[nodiscard]] std::string state() const override { return m_builder.state(); }
    [[nodiscard]] std::string progress() const override { return m_builder.progress(); }
    [[nodiscard]] std::optional<PythonValue> negative(const PythonValue& value, PythonPlace place) override {
        return remembered(PythonComputation::Kind::Negative, "-", value, nullptr, place,
                          negated(value, place));
    }
    [[nodiscard]] std::optional<PythonValue> binary(const std::string& operation, const PythonValue& left,
                                                    const PythonValue& right, PythonPlace place) override {
        return remembered(PythonComputation::Kind::Operator, operation, left, &right, place,
                          combined(operation, left, right, place));
    }
    [[nodiscard]] PythonScope enter(const PythonScope& scope) override;
    void leave(const PythonScope& before) override { m_builder.scope = before; }

private:
    /// What an operator answered; on the device, operation by operation, it is remembered.
    std::optional<PythonValue> remembered(PythonComputation::Kind kind, const std::string& name,
                                          const PythonValue& left, const PythonValue* right,
                                          PythonPlace place, std::optional<PythonValue> made);
    std::optional<PythonValue> negated(const PythonValue& value, PythonPlace place);
    std::optional<PythonValue> combined(const std::string& operation, const PythonValue& left,
                                        const PythonValue& right, PythonPlace place);
    std::optional<PythonValue> elementOf(const PythonValue& owner, const PythonValue& index,
                                         PythonPlace place);
    PythonValue answer(PythonInterpreter& interpreter, const PythonValue& callee, PythonArguments& arguments);
    /// The row of a name, found once.
    [[nodiscard]] const PythonApiName* row(const std::string& path) const;
    PythonValue callName(PythonInterpreter& interpreter, const std::string& path, PythonArguments& arguments);
    PythonValue callMethod(PythonInterpreter& interpreter, const PythonMethod& method,
                           PythonArguments& arguments);
    static PythonValue callPartial(PythonInterpreter& interpreter, const PythonLibraryObject& partial,
                                   const PythonArguments& arguments);
    PythonValue callScopeMethod(const PythonApiCall& call);
    PythonValue callQueueMethod(const PythonApiCall& call, const PythonQueue& queue);

    PythonProgramBuilder& m_builder;
    /// The value of an attribute of samples or of a model.
    std::optional<PythonValue> outputOf(const PythonData& answer, const PythonValue& index);
    std::optional<PythonValue> attributeOfSamples(const PythonData& data, const std::string& name) const;
    std::optional<PythonValue> attributeOfModel(PythonModelName model, const std::string& name);

    mutable std::unordered_map<std::string, const PythonApiName*> m_rows;
};

} // namespace core
