<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>BrainsStep</name>
    <message numerus="yes">
        <source>{size}, about %n minute(s) on a usual line.</source>
        <translation>
            <numerusform>{size}, about %n minute on a usual line.</numerusform>
            <numerusform>{size}, about %n minutes on a usual line.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message numerus="yes">
        <source>{name}, tied to %n other(s)</source>
        <translation>
            <numerusform>{name}, tied to %n other</numerusform>
            <numerusform>{name}, tied to %n others</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Changing</name>
    <message numerus="yes">
        <source>Forgotten: %n fact(s) about {name}, and where we spoke of it.</source>
        <translation>
            <numerusform>Forgotten: %n fact about {name}, and where we spoke of it.</numerusform>
            <numerusform>Forgotten: %n facts about {name}, and where we spoke of it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n hour</numerusform>
            <numerusform>%n hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>%n minute left</numerusform>
            <numerusform>%n minutes left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityCard</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>Show %n more</numerusform>
            <numerusform>Show %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Latency</name>
    <message numerus="yes">
        <source>Half of the last %n answer(s) began within {half}, nine of ten within {most}.</source>
        <translation>
            <numerusform>The only answer began within {half}.</numerusform>
            <numerusform>Half of the last %n answers began within {half}, nine of ten within {most}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message numerus="yes">
        <source>%n language(s)</source>
        <translation>
            <numerusform>%n language</numerusform>
            <numerusform>%n languages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelsSection</name>
    <message numerus="yes">
        <source>%n model(s) to begin with are missing: {size}.</source>
        <translation>
            <numerusform>%n model to begin with is missing: {size}.</numerusform>
            <numerusform>%n models to begin with are missing: {size}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NoteEditor</name>
    <message numerus="yes">
        <source>A note has at most %n characters.</source>
        <translation>
            <numerusform>A note has at most %n character.</numerusform>
            <numerusform>A note has at most %n characters.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotesCard</name>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>Show %n more</numerusform>
            <numerusform>Show %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n name(s)</source>
        <translation>
            <numerusform>%n name</numerusform>
            <numerusform>%n names</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message numerus="yes">
        <source>%n thing(s) looked at, and nothing is wrong.</source>
        <translation>
            <numerusform>%n thing looked at, and nothing is wrong.</numerusform>
            <numerusform>%n things looked at, and nothing is wrong.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProgressRow</name>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>about %n minute left</numerusform>
            <numerusform>about %n minutes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RestartBar</name>
    <message numerus="yes">
        <source>%n change(s) count after a restart.</source>
        <translation>
            <numerusform>%n change counts after a restart.</numerusform>
            <numerusform>%n changes count after a restart.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Setter</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message numerus="yes">
        <source>%n shown</source>
        <translation>
            <numerusform>%n shown</numerusform>
            <numerusform>%n shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{shown}, and %n more that are not.</source>
        <translation>
            <numerusform>{shown}, and %n more that is not.</numerusform>
            <numerusform>{shown}, and %n more that are not.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TalkPage</name>
    <message numerus="yes">
        <source>The newest %n turns that were found</source>
        <translation>
            <numerusform>The newest turn that was found</numerusform>
            <numerusform>The newest %n turns that were found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turns found</source>
        <translation>
            <numerusform>%n turn found</numerusform>
            <numerusform>%n turns found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TimerRow</name>
    <message numerus="yes">
        <source>Timer of %n minute(s)</source>
        <translation>
            <numerusform>Timer of %n minute</numerusform>
            <numerusform>Timer of %n minutes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TroublesCard</name>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Wizard</name>
    <message numerus="yes">
        <source>Models on their way: {percent} %, about %n minute(s) left</source>
        <translation>
            <numerusform>Models on their way: {percent} %, about %n minute left</numerusform>
            <numerusform>Models on their way: {percent} %, about %n minutes left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Folder</name>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passage(s)</source>
        <translation>
            <numerusform>%n passage</numerusform>
            <numerusform>%n passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cannot be read</source>
        <translation>
            <numerusform>%n cannot be read</numerusform>
            <numerusform>%n cannot be read</numerusform>
        </translation>
    </message>
</context>
</TS>
