// Command lines that programs read by getopt.
#include "core/interchange/python/apis/standard/program_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace core {

namespace {

/// Reads the words of a command line as getopt does.
class OptionReading {
public:
    explicit OptionReading(const PythonApiCall& call)
        : m_call(call) {
        if (const PythonValue* letters = call.arguments.find("shortopts", 1))
            m_letters = call.interpreter.text(*letters, call.place());
        if (const PythonValue* names = call.arguments.find("longopts", 2))
            for (const PythonValue& name :
                 names->isText() ? PythonValues{*names} : call.interpreter.iterate(*names, call.place()))
                m_names.push_back(call.interpreter.text(name, call.place()));
        if (const PythonValue* words = call.arguments.find("args", 0))
            for (const PythonValue& word : call.interpreter.iterate(*words, call.place()))
                m_words.push_back(call.interpreter.text(word, call.place()));
        m_mixes = call.name() == "gnu_getopt";
    }

    PythonValue read() {
        while (m_next < m_words.size()) {
            const std::string word = m_words[m_next];
            const bool isOption = word.size() > 1 && word.starts_with('-');
            if (!isOption && !m_mixes)
                break;
            ++m_next;
            if (word == "--")
                break;
            if (!isOption)
                m_rest.push_back(pythonText(word));
            else if (word.starts_with("--"))
                readName(word.substr(2));
            else
                readLetters(word.substr(1));
        }
        while (m_next < m_words.size())
            m_rest.push_back(pythonText(m_words[m_next++]));
        return pythonList({pythonList(std::move(m_found)), pythonList(std::move(m_rest))}, true);
    }

private:
    [[noreturn]] void refuse(const std::string& option, const char* cause, const char* cure) const {
        m_call.interpreter.messages().raise(
            m_call.place(), {"GetoptError", "error", "Exception"}, "python/arguments",
            fmt::format("the option {} {}", quotedName(option), cause), {cure});
    }

    void add(const std::string& option, const std::string& value) {
        m_found.push_back(pythonList({pythonText(option), pythonText(value)}, true));
    }

    std::string nextWord(const std::string& option) {
        if (m_next >= m_words.size())
            refuse(option, "lacks its value", "write the value behind it");
        return m_words[m_next++];
    }

    /// Names may be cut short where that is clear.
    void readName(const std::string& word) {
        const std::size_t sign = word.find('=');
        const std::string given = word.substr(0, sign);
        std::vector<std::string> fitting;
        for (const std::string& name : m_names) {
            if (name == given || name == given + "=") {
                fitting = {name};
                break;
            }
            if (name.starts_with(given))
                fitting.push_back(name);
        }
        if (fitting.size() != 1)
            refuse("--" + given, "is none of the program's", "give an option that getopt() names");
        std::string name = fitting.front();
        const bool takesValue = name.ends_with('=');
        if (takesValue)
            name.pop_back();
        if (!takesValue && sign != std::string::npos)
            refuse("--" + given, "takes no value", "leave the value out");
        const std::string value = !takesValue                 ? std::string()
                                  : sign != std::string::npos ? word.substr(sign + 1)
                                                              : nextWord("--" + given);
        add("--" + name, value);
    }

    void readLetters(const std::string& word) {
        for (std::size_t i = 0; i < word.size(); ++i) {
            const std::string option = std::string("-") + word[i];
            const std::size_t place = word[i] == ':' ? std::string::npos : m_letters.find(word[i]);
            if (place == std::string::npos)
                refuse(option, "is none of the program's", "give an option that getopt() names");
            const bool takesValue = place + 1 < m_letters.size() && m_letters[place + 1] == ':';
            if (!takesValue) {
                add(option, "");
                continue;
            }
            const std::string behind = word.substr(i + 1);
            add(option, behind.empty() ? nextWord(option) : behind);
            return;
        }
    }

    const PythonApiCall& m_call;
    std::string m_letters;
    std::vector<std::string> m_names;
    std::vector<std::string> m_words;
    bool m_mixes = false;
    std::size_t m_next = 0;
    PythonValues m_found;
    PythonValues m_rest;
};

PythonValue options(const PythonApiCall& call) {
    if (const PythonValue* words = call.arguments.find("args", 0);
        words == nullptr || words->is<PythonData>())
        return pythonList({pythonList({}), pythonList({})}, true);
    return OptionReading(call).read();
}

} // namespace

std::vector<PythonApiName> optionFunctions() {
    return {readName("getopt.getopt", options), readName("getopt.gnu_getopt", options),
            hostName("getopt.**")};
}

} // namespace core
