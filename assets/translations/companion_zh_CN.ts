<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Ailment</name>
    <message>
        <source>See what helps</source>
        <translation>看看怎么办</translation>
    </message>
    <message>
        <source>Choose another</source>
        <translation>换一个</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>打开模型页</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Open models</source>
        <translation>打开模型页</translation>
    </message>
    <message>
        <source>This desktop shows no tray icon, so a closed window stays in the list of windows.</source>
        <translation>这个桌面不显示托盘图标，所以关闭的窗口会留在窗口列表里。</translation>
    </message>
    <message>
        <source>Starting the companion once more brings it back, too. To end it, choose Quit in the menu.</source>
        <translation>再次启动语音伙伴也能让它回来。要结束它，请在菜单里选“退出”。</translation>
    </message>
    <message>
        <source>The companion has not answered for some seconds.</source>
        <translation>语音伙伴已有几秒没有回应。</translation>
    </message>
    <message>
        <source>It may come back by itself. If not, restart it; what you see here stays.</source>
        <translation>它可能会自行恢复。如果没有，请重新启动；这里显示的内容会保留。</translation>
    </message>
    <message>
        <source>The companion has stopped: {reason}</source>
        <translation>语音伙伴已停止：{reason}</translation>
    </message>
</context>
<context>
    <name>Beginning</name>
    <message>
        <source>What can I do for you?</source>
        <translation>有什么可以帮您？</translation>
    </message>
    <message>
        <source>The microphone is closed. Click one of these, or type.</source>
        <translation>麦克风已关闭。点其中一句，或打字。</translation>
    </message>
    <message>
        <source>Click one of these, or type.</source>
        <translation>点其中一句，或打字。</translation>
    </message>
    <message>
        <source>Say “{word}” and then one of these, or click one.</source>
        <translation>先说“{word}”，再说其中一句，或点一下。</translation>
    </message>
    <message>
        <source>Say one of these, or click one.</source>
        <translation>说出其中一句，或点一下。</translation>
    </message>
    <message>
        <source>What time is it?</source>
        <translation>现在几点了？</translation>
    </message>
    <message>
        <source>Set a timer for five minutes</source>
        <translation>设一个五分钟的计时器</translation>
    </message>
    <message>
        <source>What can you do?</source>
        <translation>你会做什么？</translation>
    </message>
</context>
<context>
    <name>Book</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{name}: {value}</source>
        <translation>{name}：{value}</translation>
    </message>
</context>
<context>
    <name>BrainsStep</name>
    <message>
        <source>How clever shall I be?</source>
        <translation>我要多聪明？</translation>
    </message>
    <message>
        <source>I think on this computer, with models that are fetched once. These fit it.</source>
        <translation>我用只需下载一次的模型在这台电脑上思考。以下适合它。</translation>
    </message>
    <message>
        <source>What to begin with</source>
        <translation>从哪个开始</translation>
    </message>
    <message>
        <source>On their way</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Fetch them</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Take them from a folder or a stick</source>
        <translation>从文件夹或 U 盘导入</translation>
    </message>
    <message>
        <source>The folder with the models</source>
        <translation>存放模型的文件夹</translation>
    </message>
    <message>
        <source>Quick and simple</source>
        <translation>快速而简单</translation>
    </message>
    <message>
        <source>Clever</source>
        <translation>聪明</translation>
    </message>
    <message>
        <source>Very clever, and slower</source>
        <translation>很聪明，但较慢</translation>
    </message>
    <message>
        <source>Everything for it is here.</source>
        <translation>需要的都有了。</translation>
    </message>
    <message>
        <source>{size}, less than a minute on a usual line.</source>
        <translation>{size}，一般网络不到一分钟。</translation>
    </message>
    <message numerus="yes">
        <source>{size}, about %n minute(s) on a usual line.</source>
        <translation>
            <numerusform>{size}，一般网络约需 %n 分钟。</numerusform>
        </translation>
    </message>
    <message>
        <source>There is room for {size} on the disk. You can go on while they come.</source>
        <translation>磁盘还能放下 {size}。下载时您可以继续。</translation>
    </message>
    <message>
        <source>This computer has no network now.</source>
        <translation>这台电脑现在没有网络。</translation>
    </message>
    <message>
        <source>I understand what you say, and do what you ask: timers, sums, the time.</source>
        <translation>我听得懂您的话，能照您说的做：计时、计算、报时。</translation>
    </message>
    <message>
        <source>I answer questions.</source>
        <translation>我回答问题。</translation>
    </message>
    <message>
        <source>I speak.</source>
        <translation>我会说话。</translation>
    </message>
    <message>
        <source>Nothing can be said yet. Take the models from a stick, or go on and fetch them later.</source>
        <translation>现在还不能说话。可以从 U 盘导入模型，或先继续，以后再下载。</translation>
    </message>
    <message>
        <source>What works already: {list}</source>
        <translation>已经可以做的：{list}</translation>
    </message>
    <message>
        <source>{number} GB</source>
        <translation>{number} GB</translation>
    </message>
    <message>
        <source>{number} MB</source>
        <translation>{number} MB</translation>
    </message>
</context>
<context>
    <name>Bridge</name>
    <message>
        <source>The companion does not answer.</source>
        <translation>语音伙伴没有回应。</translation>
    </message>
    <message>
        <source>Wait a moment, or restart it.</source>
        <translation>请稍等，或重新启动它。</translation>
    </message>
    <message>
        <source>The companion was restarted before it could answer.</source>
        <translation>语音伙伴还没来得及回答就重新启动了。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请再试一次。</translation>
    </message>
    <message>
        <source>Something went wrong inside ({kind}).</source>
        <translation>内部出了问题（{kind}）。</translation>
    </message>
    <message>
        <source>The log tells more.</source>
        <translation>日志里有更多说明。</translation>
    </message>
</context>
<context>
    <name>BundleWindow</name>
    <message>
        <source>Diagnostics bundle</source>
        <translation>诊断文件</translation>
    </message>
    <message>
        <source>Parts of the bundle</source>
        <translation>诊断文件的各部分</translation>
    </message>
    <message>
        <source>What is in it</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>What would go to whoever helps you</source>
        <translation>会交给帮忙的人的内容</translation>
    </message>
    <message>
        <source>Nothing has left this computer, and nothing does unless you send the file. What was said, names and places are taken out; look it over all the same, and leave out what you like.</source>
        <translation>没有任何内容离开这台电脑；除非您自己发送这个文件，否则也不会有。说过的话、姓名和位置都已去掉；仍请您过目，不想给的部分可以取消勾选。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Saved as {file}.</source>
        <translation>已保存为 {file}。</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>Picture of what is remembered</source>
        <translation>记忆图</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message numerus="yes">
        <source>{name}, tied to %n other(s)</source>
        <translation>
            <numerusform>{name}，与另外 %n 个相连</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Carrying</name>
    <message>
        <source>Memory (*.json);;For graph programs (*.graphml);;Picture (*.svg)</source>
        <translation>记忆 (*.json);;供图形程序使用 (*.graphml);;图片 (*.svg)</translation>
    </message>
    <message>
        <source>Export what I remember</source>
        <translation>导出我的记忆</translation>
    </message>
    <message>
        <source>The picture is in {file}.</source>
        <translation>图片保存在 {file}。</translation>
    </message>
    <message>
        <source>{facts} facts are in {file}.</source>
        <translation>{file} 中有 {facts} 条事实。</translation>
    </message>
    <message>
        <source>Import what was exported</source>
        <translation>导入以前导出的记忆</translation>
    </message>
    <message>
        <source>Memory (*.json)</source>
        <translation>记忆 (*.json)</translation>
    </message>
    <message>
        <source>{facts} facts were added, {known} were known already, {refused} were refused.</source>
        <translation>新增 {facts} 条事实，{known} 条早已知道，{refused} 条未被接受。</translation>
    </message>
    <message>
        <source>A backup was made: {file}</source>
        <translation>已备份：{file}</translation>
    </message>
    <message>
        <source>I remember again what I knew on {moment}.</source>
        <translation>我又回到了 {moment} 时的记忆。</translation>
    </message>
    <message>
        <source>There is no backup yet</source>
        <translation>还没有备份</translation>
    </message>
    <message>
        <source>Make one from the same menu</source>
        <translation>请在同一菜单里备份</translation>
    </message>
    <message>
        <source>Go back to the newest backup?</source>
        <translation>要恢复到最新的备份吗？</translation>
    </message>
    <message>
        <source>It was made on {moment}. What I learned since then is set aside.</source>
        <translation>备份于 {moment}。此后学到的内容会另外保存。</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>恢复</translation>
    </message>
</context>
<context>
    <name>Changing</name>
    <message>
        <source>Corrected.</source>
        <translation>已更正。</translation>
    </message>
    <message>
        <source>Pinned.</source>
        <translation>已固定。</translation>
    </message>
    <message>
        <source>No longer pinned.</source>
        <translation>已取消固定。</translation>
    </message>
    <message>
        <source>Forgotten: {sentence}</source>
        <translation>已忘记：{sentence}</translation>
    </message>
    <message numerus="yes">
        <source>Forgotten: %n fact(s) about {name}, and where we spoke of it.</source>
        <translation>
            <numerusform>已忘记：关于{name}的 %n 条事实，以及谈到它的对话。</numerusform>
        </translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>改名</translation>
    </message>
    <message>
        <source>I will still know the old name.</source>
        <translation>旧名字我仍然认得。</translation>
    </message>
    <message>
        <source>Renamed to {name}.</source>
        <translation>已改名为{name}。</translation>
    </message>
    <message>
        <source>The same as</source>
        <translation>与之相同</translation>
    </message>
    <message>
        <source>“{name}” and this one become one. All that I know of either stays.</source>
        <translation>“{name}”将与它合为一个，关于两者的记忆都会保留。</translation>
    </message>
    <message>
        <source>Join them</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>{one} and {other} are one now.</source>
        <translation>{one}和{other}现在是同一个了。</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>How long the newest answers took</source>
        <translation>最近回答所用的时间</translation>
    </message>
    <message>
        <source>{time}: {total}</source>
        <translation>{time}：{total}</translation>
    </message>
    <message>
        <source>{step}: {seconds}</source>
        <translation>{step}：{seconds}</translation>
    </message>
</context>
<context>
    <name>CloudStep</name>
    <message>
        <source>Provider</source>
        <translation>服务商</translation>
    </message>
    <message>
        <source>Its model</source>
        <translation>它的模型</translation>
    </message>
    <message>
        <source>As the provider calls it.</source>
        <translation>按服务商的叫法。</translation>
    </message>
    <message>
        <source>Try it now</source>
        <translation>现在试试</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Who writes down what you say</source>
        <translation>由谁写下您说的话</translation>
    </message>
    <message>
        <source>the sound of what you say to me</source>
        <translation>您对我说话的声音</translation>
    </message>
    <message>
        <source>If it is asked, the sound of your question goes to the provider, from the name you call on.</source>
        <translation>使用它时，从您叫我的名字起，您提问的声音会发送给服务商。</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>your questions, and what goes along with them</source>
        <translation>您的问题和随附的内容</translation>
    </message>
    <message>
        <source>If it is asked, your question goes to the provider, with our conversation and what I remember.</source>
        <translation>使用它时，您的问题、我们的对话和我的记忆会发送给服务商。</translation>
    </message>
    <message>
        <source>Who speaks</source>
        <translation>由谁说话</translation>
    </message>
    <message>
        <source>the text of my answers</source>
        <translation>我回答的文字</translation>
    </message>
    <message>
        <source>If it is asked, the text of my answers goes to the provider.</source>
        <translation>使用它时，我回答的文字会发送给服务商。</translation>
    </message>
    <message>
        <source>Nothing leaves for this.</source>
        <translation>这不会发出任何内容。</translation>
    </message>
    <message>
        <source>A second of silence goes to {provider}.</source>
        <translation>会有一秒的静音发送到 {provider}。</translation>
    </message>
    <message>
        <source>A few words go to {provider}.</source>
        <translation>会有几个词发送到 {provider}。</translation>
    </message>
    <message>
        <source>It works, in {seconds} s: “{said}”</source>
        <translation>可用，{seconds} 秒：“{said}”</translation>
    </message>
    <message>
        <source>It works, in {seconds} s.</source>
        <translation>可用，{seconds} 秒。</translation>
    </message>
    <message>
        <source>It does not work yet.</source>
        <translation>还不能用。</translation>
    </message>
</context>
<context>
    <name>Counts</name>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s)</source>
        <translation>
            <numerusform>%n 小时</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s)</source>
        <translation>
            <numerusform>%n 天</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>还剩 %n 分钟</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n 条记忆</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DeviceChoice</name>
    <message>
        <source>{name} (not plugged in)</source>
        <translation>{name}（未连接）</translation>
    </message>
</context>
<context>
    <name>Dots</name>
    <message>
        <source>Step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
</context>
<context>
    <name>Drawer</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>EchoCard</name>
    <message>
        <source>Do I hear myself?</source>
        <translation>我会听到自己吗？</translation>
    </message>
    <message>
        <source>Test the echo</source>
        <translation>测试回声</translation>
    </message>
    <message>
        <source>A short tune. Please be quiet until it ends.</source>
        <translation>一小段旋律。结束前请保持安静。</translation>
    </message>
    <message>
        <source>I play a short tune and listen. Then I know whether you can talk while I speak.</source>
        <translation>我放一小段旋律并聆听，这样就知道我说话时您能不能插话。</translation>
    </message>
    <message>
        <source>Test again</source>
        <translation>再测一次</translation>
    </message>
    <message>
        <source>Good. I hear myself, and I can tell my voice from yours. You can interrupt me.</source>
        <translation>很好。我能听到自己，也能分清您和我的声音。您可以打断我。</translation>
    </message>
    <message>
        <source>I do not hear myself at all. If you heard the tune, all is well.</source>
        <translation>我完全听不到自己。如果您听到了旋律，就没有问题。</translation>
    </message>
    <message>
        <source>The loudspeaker is a little too loud for me. Turn it down, or move it away.</source>
        <translation>扬声器对我来说有点太响。请调小，或移远一些。</translation>
    </message>
    <message>
        <source>I cannot tell my voice from yours here. Use headphones, or another loudspeaker.</source>
        <translation>在这里我分不清您和我的声音。请用耳机，或换个扬声器。</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>there is no microphone named &apos;{name}&apos;</source>
        <translation>找不到名为“{name}”的麦克风</translation>
    </message>
    <message>
        <source>there is no loudspeaker named &apos;{name}&apos;</source>
        <translation>找不到名为“{name}”的扬声器</translation>
    </message>
    <message>
        <source>there is no microphone</source>
        <translation>没有麦克风</translation>
    </message>
    <message>
        <source>there is no loudspeaker</source>
        <translation>没有扬声器</translation>
    </message>
    <message>
        <source>no sound system answers</source>
        <translation>没有可用的声音系统</translation>
    </message>
    <message>
        <source>the sound system does not answer: {reason}</source>
        <translation>声音系统没有响应：{reason}</translation>
    </message>
    <message>
        <source>the microphone &apos;{name}&apos; has gone</source>
        <translation>麦克风“{name}”不见了</translation>
    </message>
    <message>
        <source>the microphone &apos;{name}&apos; has been unplugged</source>
        <translation>麦克风“{name}”被拔掉了</translation>
    </message>
    <message>
        <source>the microphone &apos;{name}&apos; has fallen silent</source>
        <translation>麦克风“{name}”没有声音了</translation>
    </message>
    <message>
        <source>the microphone has sent only zeros for a long time</source>
        <translation>麦克风很久没有传来任何声音</translation>
    </message>
    <message>
        <source>the microphone is in use by another program</source>
        <translation>麦克风正被其他程序使用</translation>
    </message>
    <message>
        <source>the loudspeaker is in use by another program</source>
        <translation>扬声器正被其他程序使用</translation>
    </message>
    <message>
        <source>that microphone is not there</source>
        <translation>那个麦克风不在</translation>
    </message>
    <message>
        <source>that loudspeaker is not there</source>
        <translation>那个扬声器不在</translation>
    </message>
    <message>
        <source>the microphone will not open: {reason}</source>
        <translation>麦克风打不开：{reason}</translation>
    </message>
    <message>
        <source>the loudspeaker will not open: {reason}</source>
        <translation>扬声器打不开：{reason}</translation>
    </message>
    <message>
        <source>PortAudio is not installed</source>
        <translation>没有安装 PortAudio</translation>
    </message>
    <message>
        <source>nothing came within {seconds} s</source>
        <translation>{seconds} 秒内没有任何声音</translation>
    </message>
    <message>
        <source>the sound devices do not answer</source>
        <translation>声音设备没有回应</translation>
    </message>
    <message>
        <source>the companion does not let go of the microphone</source>
        <translation>伴侣没有放开麦克风</translation>
    </message>
    <message>
        <source>{name}, but the volume is 0</source>
        <translation>{name}，但音量为 0</translation>
    </message>
    <message>
        <source>{name}, volume {volume}</source>
        <translation>{name}，音量 {volume}</translation>
    </message>
    <message>
        <source>{name}: {level} dBFS</source>
        <translation>{name}：电平 {level} dBFS</translation>
    </message>
    <message>
        <source>the voice detector does not load</source>
        <translation>语音检测器无法加载</translation>
    </message>
    <message>
        <source>the voice detector is not installed</source>
        <translation>没有安装语音检测器</translation>
    </message>
    <message>
        <source>faster-whisper&apos;s voice detector is not installed</source>
        <translation>没有安装 faster-whisper 的语音检测器</translation>
    </message>
    <message>
        <source>the wake word verifier does not load</source>
        <translation>唤醒词复核器无法加载</translation>
    </message>
    <message>
        <source>the wake word &apos;{word}&apos; does not load</source>
        <translation>唤醒词“{word}”无法加载</translation>
    </message>
    <message>
        <source>there is no wake word &apos;{word}&apos;</source>
        <translation>没有唤醒词“{word}”</translation>
    </message>
    <message>
        <source>{file} does not load</source>
        <translation>{file} 无法加载</translation>
    </message>
    <message>
        <source>{file} is another kind of network: its input is {shape}</source>
        <translation>{file} 是另一种网络：它的输入是 {shape}</translation>
    </message>
    <message>
        <source>the voice made no sound</source>
        <translation>嗓音没有发出声音</translation>
    </message>
    <message>
        <source>the text is longer than {count} characters</source>
        <translation>文字超过 {count} 个字符</translation>
    </message>
    <message>
        <source>the text is longer than {count} bytes</source>
        <translation>文字超过 {count} 字节</translation>
    </message>
    <message>
        <source>the text is empty, too long or broken</source>
        <translation>文字为空、太长或已损坏</translation>
    </message>
    <message>
        <source>the text is empty</source>
        <translation>文字为空</translation>
    </message>
    <message>
        <source>the text is no UTF-8</source>
        <translation>文字不是 UTF-8 编码</translation>
    </message>
    <message>
        <source>the text holds broken characters</source>
        <translation>文字里有损坏的字符</translation>
    </message>
    <message>
        <source>the speed is {number}</source>
        <translation>语速是 {number}</translation>
    </message>
    <message>
        <source>{name} is no voice</source>
        <translation>{name} 不是嗓音</translation>
    </message>
    <message>
        <source>close that program, or run PulseAudio or PipeWire so that programs can share it</source>
        <translation>请关闭那个程序，或运行 PulseAudio 或 PipeWire，让程序共用设备</translation>
    </message>
    <message>
        <source>choose one of {names}</source>
        <translation>请从这些里选择：{names}</translation>
    </message>
    <message>
        <source>Close other programs, or plug it in again.</source>
        <translation>请关闭其他程序，或重新插上设备</translation>
    </message>
    <message>
        <source>Plug them in again, or choose others.</source>
        <translation>请重新插上，或选择别的设备</translation>
    </message>
    <message>
        <source>Switch it on, and unmute it in the mixer.</source>
        <translation>请打开它，并在混音器中取消静音</translation>
    </message>
    <message>
        <source>Say something during the check, or raise its level.</source>
        <translation>检查时请说几句话，或调高音量</translation>
    </message>
    <message>
        <source>Choose a voice.</source>
        <translation>请选择一种嗓音</translation>
    </message>
    <message>
        <source>It goes from {low} to {high}.</source>
        <translation>范围是 {low} 到 {high}</translation>
    </message>
    <message>
        <source>Up to {count} characters.</source>
        <translation>最多 {count} 个字符</translation>
    </message>
    <message>
        <source>install faster-whisper afresh</source>
        <translation>请重新安装 faster-whisper</translation>
    </message>
    <message>
        <source>pip install --force-reinstall {package}</source>
        <translation>请重新安装：pip install --force-reinstall {package}</translation>
    </message>
    <message>
        <source>companion models verify, then pull it again</source>
        <translation>请运行 companion models verify，然后重新下载</translation>
    </message>
    <message>
        <source>companion settings set sound.volume 0.8</source>
        <translation>请调高音量：companion settings set sound.volume 0.8</translation>
    </message>
    <message>
        <source>{told}, which is digital silence</source>
        <translation>{told}，完全没有声音</translation>
    </message>
    <message>
        <source>{told}, which is very quiet</source>
        <translation>{told}，声音很小</translation>
    </message>
    <message>
        <source>{name}: {count} microphones, {number} loudspeakers</source>
        <translation>{name}：{count} 个麦克风，{number} 个扬声器</translation>
    </message>
    <message>
        <source>no device</source>
        <translation>没有设备</translation>
    </message>
    <message>
        <source>there are no models yet; missing: {names}</source>
        <translation>还没有模型，缺少：{names}</translation>
    </message>
    <message>
        <source>there is no voice on the shelf for {language}; {meanwhile}</source>
        <translation>没有 {language} 的声音；{meanwhile}</translation>
    </message>
    <message>
        <source>there is no voice on the shelf for {language}</source>
        <translation>没有 {language} 的声音</translation>
    </message>
    <message>
        <source>there is no voice for {language} on the shelf; {meanwhile}</source>
        <translation>架上没有 {language} 的嗓音；{meanwhile}</translation>
    </message>
    <message>
        <source>espeak-ng speaks it meanwhile</source>
        <translation>暂时由 espeak-ng 朗读</translation>
    </message>
    <message>
        <source>the answer can only be read</source>
        <translation>回答只能阅读</translation>
    </message>
    <message>
        <source>there is no voice</source>
        <translation>没有声音</translation>
    </message>
    <message>
        <source>there is no voice for &quot;{language}&quot;</source>
        <translation>没有“{language}”的嗓音</translation>
    </message>
    <message>
        <source>there is no language model that could answer</source>
        <translation>没有可以回答的语言模型</translation>
    </message>
    <message>
        <source>{what} needs {needed} ({bytes} bytes) in {folder}, but {free} ({left} bytes) are free</source>
        <translation>{what} 需要在 {folder} 占用 {needed}（{bytes} 字节），但只剩 {free}（{left} 字节）</translation>
    </message>
    <message>
        <source>it needs {needed}, and {free} are free on the disk</source>
        <translation>需要 {needed}，而磁盘只剩 {free}</translation>
    </message>
    <message>
        <source>the places it comes from cannot be reached</source>
        <translation>无法连接下载来源</translation>
    </message>
    <message>
        <source>what came is not what it should be</source>
        <translation>下载到的内容不正确</translation>
    </message>
    <message>
        <source>It was stopped.</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>{name} is on its way</source>
        <translation>正在下载 {name}</translation>
    </message>
    <message>
        <source>another process is working on the model {name}</source>
        <translation>另一个进程正在处理模型 {name}</translation>
    </message>
    <message>
        <source>there is no model &apos;{name}&apos;</source>
        <translation>没有名为“{name}”的模型</translation>
    </message>
    <message>
        <source>no {kind} in the catalogue knows {language}</source>
        <translation>目录中没有支持 {language} 的{kind}</translation>
    </message>
    <message>
        <source>none of the sources asked has {file}</source>
        <translation>所有来源都没有 {file}</translation>
    </message>
    <message>
        <source>{source} sent a wrong {file}: its sha256 begins {found}, not {wanted}</source>
        <translation>{source} 发来了错误的 {file}：其 sha256 以 {found} 开头，而不是 {wanted}</translation>
    </message>
    <message>
        <source>{file}: {verdict}, so it is not used</source>
        <translation>{file}：{verdict}，因此不使用</translation>
    </message>
    <message>
        <source>{folder}: is not a folder</source>
        <translation>{folder}：不是文件夹</translation>
    </message>
    <message>
        <source>{folder}: holds no {file} with the right bytes</source>
        <translation>{folder}：没有内容正确的 {file}</translation>
    </message>
    <message>
        <source>{folder}: there are no model manifests</source>
        <translation>{folder}：没有模型清单</translation>
    </message>
    <message>
        <source>pip could not bring {package}: {reason}</source>
        <translation>pip 未能取得 {package}：{reason}</translation>
    </message>
    <message>
        <source>pip brought nothing of {package} for {seconds} seconds</source>
        <translation>pip 有 {seconds} 秒没有取得 {package} 的任何内容</translation>
    </message>
    <message>
        <source>cannot start {program} for pip: {error}</source>
        <translation>无法为 pip 启动 {program}：{error}</translation>
    </message>
    <message>
        <source>{count} of {number} are installed</source>
        <translation>{number} 个中已安装 {count} 个</translation>
    </message>
    <message>
        <source>not installed: {names}</source>
        <translation>未安装：{names}</translation>
    </message>
    <message>
        <source>{name} is not installed</source>
        <translation>没有安装 {name}</translation>
    </message>
    <message>
        <source>{name}: {size} MB, checksums right</source>
        <translation>{name}：{size} MB，校验和正确</translation>
    </message>
    <message>
        <source>espeak-ng is not installed; only languages with a voice on the shelf are spoken</source>
        <translation>没有安装 espeak-ng；只能说架上有嗓音的语言</translation>
    </message>
    <message>
        <source>{program} speaks for languages without a voice on the shelf</source>
        <translation>{program} 为架上没有嗓音的语言发声</translation>
    </message>
    <message>
        <source>a pull was left unfinished: {names}</source>
        <translation>有一次下载没有完成：{names}</translation>
    </message>
    <message>
        <source>No voice in the catalogue knows it.</source>
        <translation>目录中没有支持它的嗓音</translation>
    </message>
    <message>
        <source>{told}; it cannot hear</source>
        <translation>{told}；无法听懂说话</translation>
    </message>
    <message>
        <source>{told}; it understands commands only</source>
        <translation>{told}；只能听懂命令</translation>
    </message>
    <message>
        <source>{told}; it cannot speak, unless espeak-ng is installed</source>
        <translation>{told}；除非安装 espeak-ng，否则无法说话</translation>
    </message>
    <message>
        <source>{told}; the end of a turn is judged by silence and words only</source>
        <translation>{told}；只能凭停顿和词语判断一句话是否说完</translation>
    </message>
    <message>
        <source>{name} does not load: {reason}</source>
        <translation>{name} 无法加载：{reason}</translation>
    </message>
    <message>
        <source>{name} failed: {reason}</source>
        <translation>{name} 出错：{reason}</translation>
    </message>
    <message>
        <source>{name} needs a library that is not installed: {library}</source>
        <translation>{name} 需要一个没有安装的库：{library}</translation>
    </message>
    <message>
        <source>{name} did not stop within {seconds} s</source>
        <translation>{name} 在 {seconds} 秒内没有停下</translation>
    </message>
    <message>
        <source>{name} has been closed</source>
        <translation>{name} 已关闭</translation>
    </message>
    <message>
        <source>{file} is not there</source>
        <translation>{file} 不存在</translation>
    </message>
    <message>
        <source>{file} needs more files than a voice has</source>
        <translation>{file} 需要的文件比一种嗓音更多</translation>
    </message>
    <message>
        <source>a context of {count} tokens is too small for any prompt</source>
        <translation>{count} 个词元的上下文放不下任何提示</translation>
    </message>
    <message>
        <source>this recogniser does not know the language &quot;{language}&quot;</source>
        <translation>这个识别器不认识语言“{language}”</translation>
    </message>
    <message>
        <source>this recogniser understands only English, not &quot;{language}&quot;</source>
        <translation>这个识别器只懂英语，不懂“{language}”</translation>
    </message>
    <message>
        <source>this recogniser understands only English and cannot translate</source>
        <translation>这个识别器只懂英语，不能翻译</translation>
    </message>
    <message>
        <source>this model has no chat template</source>
        <translation>这个模型没有对话模板</translation>
    </message>
    <message>
        <source>espeak-ng does not speak &quot;{language}&quot;</source>
        <translation>espeak-ng 不会说“{language}”</translation>
    </message>
    <message>
        <source>espeak-ng made no wave file</source>
        <translation>espeak-ng 没有生成声音文件</translation>
    </message>
    <message>
        <source>espeak-ng stopped in the middle</source>
        <translation>espeak-ng 中途停下了</translation>
    </message>
    <message>
        <source>{program} cannot be started</source>
        <translation>无法启动 {program}</translation>
    </message>
    <message>
        <source>{folder}: a phrase cannot be kept: {reason}</source>
        <translation>{folder}：无法保存一句常用话：{reason}</translation>
    </message>
    <message>
        <source>a recogniser hears at most {seconds} s at once</source>
        <translation>识别器一次最多听 {seconds} 秒</translation>
    </message>
    <message>
        <source>the recogniser broke off: {reason}</source>
        <translation>识别中断：{reason}</translation>
    </message>
    <message>
        <source>{name} did not end within {seconds} s</source>
        <translation>{name} 在 {seconds} 秒内没有结束</translation>
    </message>
    <message>
        <source>{name} ended before all was given to it</source>
        <translation>{name} 提前结束了</translation>
    </message>
    <message>
        <source>the agent did not begin within {seconds} s</source>
        <translation>{seconds} 秒内没有开始回答</translation>
    </message>
    <message>
        <source>the agent wrote nothing for {seconds} s</source>
        <translation>{seconds} 秒内没有写出回答</translation>
    </message>
    <message>
        <source>the agent: {error}</source>
        <translation>回答时出错：{error}</translation>
    </message>
    <message>
        <source>Look after the network and try again, or take it from a stick. What has come so far is kept.</source>
        <translation>请检查网络后重试，或从 U 盘获取。已经下载的部分会保留</translation>
    </message>
    <message>
        <source>Free some space, then try again.</source>
        <translation>请腾出一些空间，然后重试</translation>
    </message>
    <message>
        <source>Check the network and pip&apos;s settings, or try again later.</source>
        <translation>请检查网络和 pip 的设置，或稍后再试</translation>
    </message>
    <message>
        <source>Check the network and pip&apos;s settings.</source>
        <translation>请检查网络和 pip 的设置</translation>
    </message>
    <message>
        <source>Try again after that time.</source>
        <translation>请在那之后再试</translation>
    </message>
    <message>
        <source>Wait until it has finished, or stop it.</source>
        <translation>请等它完成，或停止它</translation>
    </message>
    <message>
        <source>Cancel that first.</source>
        <translation>请先取消它</translation>
    </message>
    <message>
        <source>Plug the stick in, and choose its folder.</source>
        <translation>请插上 U 盘并选择其中的文件夹</translation>
    </message>
    <message>
        <source>Name the folder that holds the files.</source>
        <translation>请指明存放这些文件的文件夹</translation>
    </message>
    <message>
        <source>Did you mean {name}? See `companion models list`.</source>
        <translation>是不是“{name}”？请看 `companion models list`</translation>
    </message>
    <message>
        <source>See `companion models list`.</source>
        <translation>请看 `companion models list`</translation>
    </message>
    <message>
        <source>Choose one of {names}, or auto.</source>
        <translation>请从这些里选择：{names}，或 auto</translation>
    </message>
    <message>
        <source>Set general.language to another; `companion models list --json` shows what each model knows.</source>
        <translation>请把 general.language 改成别的语言；`companion models list --json` 会列出每个模型支持的语言</translation>
    </message>
    <message>
        <source>Install espeak-ng, which then speaks it.</source>
        <translation>请安装 espeak-ng，由它来说</translation>
    </message>
    <message>
        <source>Nothing to do: silence and words then tell when a turn is over.</source>
        <translation>不用处理：凭停顿和词语也能判断一句话是否说完</translation>
    </message>
    <message>
        <source>Nothing to do: texts are then found by their words.</source>
        <translation>不用处理：凭词语也能找到文字</translation>
    </message>
    <message>
        <source>Allow your user to write there, or set COMPANION_HOME to another folder.</source>
        <translation>请允许写入那里，或把 COMPANION_HOME 设为别的文件夹</translation>
    </message>
    <message>
        <source>Reinstall companion.</source>
        <translation>请重新安装本程序</translation>
    </message>
    <message>
        <source>Install companion again.</source>
        <translation>请重新安装本程序</translation>
    </message>
    <message>
        <source>Mend the manifest, or reinstall companion.</source>
        <translation>请修正清单，或重新安装本程序</translation>
    </message>
    <message>
        <source>Rename it.</source>
        <translation>请给它改名</translation>
    </message>
    <message>
        <source>Install Python {version} or newer.</source>
        <translation>请安装 Python {version} 或更新的版本</translation>
    </message>
    <message>
        <source>Run pip install {names}.</source>
        <translation>请运行 pip install {names}</translation>
    </message>
    <message>
        <source>Try a smaller language model.</source>
        <translation>请试试更小的语言模型</translation>
    </message>
    <message>
        <source>See its log.</source>
        <translation>请看它的日志</translation>
    </message>
    <message>
        <source>check its files with: companion models verify</source>
        <translation>请检查文件：companion models verify</translation>
    </message>
    <message>
        <source>pull it again: companion models pull</source>
        <translation>请重新下载：companion models pull</translation>
    </message>
    <message>
        <source>pull one for all languages: companion models pull whisper-base</source>
        <translation>请下载支持所有语言的模型：companion models pull whisper-base</translation>
    </message>
    <message>
        <source>bring one: companion models pull</source>
        <translation>请下载一种：companion models pull</translation>
    </message>
    <message>
        <source>see which there are with: companion models list; or install espeak-ng</source>
        <translation>请用 companion models list 查看有哪些，或安装 espeak-ng</translation>
    </message>
    <message>
        <source>take another voice: companion models list</source>
        <translation>请换一种嗓音：companion models list</translation>
    </message>
    <message>
        <source>install espeak-ng again</source>
        <translation>请重新安装 espeak-ng</translation>
    </message>
    <message>
        <source>install espeak-ng with all its voices</source>
        <translation>请安装带有全部嗓音的 espeak-ng</translation>
    </message>
    <message>
        <source>install espeak-ng</source>
        <translation>请安装 espeak-ng</translation>
    </message>
    <message>
        <source>install the companion again, with all it needs</source>
        <translation>请重新安装本程序及其所需的一切</translation>
    </message>
    <message>
        <source>install the companion again</source>
        <translation>请重新安装本程序</translation>
    </message>
    <message>
        <source>set language to &quot;auto&quot;</source>
        <translation>请把语言设为“auto”</translation>
    </message>
    <message>
        <source>raise models.context_tokens</source>
        <translation>请调高 models.context_tokens</translation>
    </message>
    <message>
        <source>use an instruct model</source>
        <translation>请使用指令模型</translation>
    </message>
    <message>
        <source>restart the companion</source>
        <translation>请重新启动伴侣</translation>
    </message>
    <message>
        <source>cut it at a pause</source>
        <translation>请在停顿处分开</translation>
    </message>
    <message>
        <source>free space</source>
        <translation>请腾出空间</translation>
    </message>
    <message>
        <source>{version} is too old</source>
        <translation>{version} 太旧</translation>
    </message>
    <message>
        <source>this model reads words, not {kind}</source>
        <translation>这个模型只读文字，不读 {kind}</translation>
    </message>
    <message>
        <source>describe it in words</source>
        <translation>请用文字描述</translation>
    </message>
    <message>
        <source>Name a folder, or a place where one can be made.</source>
        <translation>请指明一个文件夹，或可以新建文件夹的位置</translation>
    </message>
    <message>
        <source>missing: {names}</source>
        <translation>缺少 {names}</translation>
    </message>
    <message>
        <source>wrong size: {names}</source>
        <translation>大小不对：{names}</translation>
    </message>
    <message>
        <source>wrong bytes: {names}</source>
        <translation>内容不对：{names}</translation>
    </message>
    <message>
        <source>unreadable: {names}</source>
        <translation>无法读取：{names}</translation>
    </message>
    <message>
        <source>{name} is not whole: {wrong}. Bring it again.</source>
        <translation>{name} 不完整：{wrong}。请重新下载</translation>
    </message>
    <message>
        <source>llama.cpp gives no reason</source>
        <translation>llama.cpp 没有给出原因</translation>
    </message>
    <message>
        <source>voice</source>
        <translation>嗓音</translation>
    </message>
    <message>
        <source>recogniser</source>
        <translation>识别器</translation>
    </message>
    <message>
        <source>language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>turn judge</source>
        <translation>轮次判断模型</translation>
    </message>
    <message>
        <source>embedder</source>
        <translation>文本向量模型</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>阿拉伯语</translation>
    </message>
    <message>
        <source>German</source>
        <translation>德语</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英语</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>西班牙语</translation>
    </message>
    <message>
        <source>French</source>
        <translation>法语</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>印地语</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>意大利语</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>日语</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>韩语</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>荷兰语</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>波兰语</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>葡萄牙语</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>俄语</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>土耳其语</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>乌克兰语</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <source>{file} could not be written: {reason}</source>
        <translation>无法写入 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} cannot be written: {reason}</source>
        <translation>无法写入 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} cannot be changed: {reason}</source>
        <translation>无法更改 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} could not be changed: {reason}</source>
        <translation>无法修改 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} cannot be read: {reason}</source>
        <translation>无法读取 {file}：{reason}</translation>
    </message>
    <message>
        <source>the file of the timers cannot be read</source>
        <translation>无法读取计时器文件</translation>
    </message>
    <message>
        <source>{fault}; the last good settings are used</source>
        <translation>{fault}；改用上次正确的设置</translation>
    </message>
    <message>
        <source>{fault}; the defaults are used</source>
        <translation>{fault}；改用默认设置</translation>
    </message>
    <message>
        <source>{fault}; the last good settings are used, and the broken file is kept as {name}</source>
        <translation>{fault}；改用上次正确的设置，损坏的文件保存为 {name}</translation>
    </message>
    <message>
        <source>{fault}; the defaults are used, and the broken file is kept as {name}</source>
        <translation>{fault}；改用默认设置，损坏的文件保存为 {name}</translation>
    </message>
    <message>
        <source>{place}: this is no TOML ({reason})</source>
        <translation>{place}：这不是有效的 TOML（{reason}）</translation>
    </message>
    <message>
        <source>that time has passed, or is more than a year away</source>
        <translation>这个时间已过，或在一年之后</translation>
    </message>
    <message>
        <source>its time has passed</source>
        <translation>它的时间已过</translation>
    </message>
    <message>
        <source>a timer runs for up to 30 days</source>
        <translation>计时器最长 30 天</translation>
    </message>
    <message>
        <source>{count} are set already</source>
        <translation>已经设定了 {count} 个</translation>
    </message>
    <message>
        <source>the companion is starting</source>
        <translation>语音伙伴正在启动</translation>
    </message>
    <message>
        <source>the companion is not listening yet</source>
        <translation>语音伙伴还没开始听</translation>
    </message>
    <message>
        <source>the companion did not get to it in time</source>
        <translation>语音伙伴没能及时处理</translation>
    </message>
    <message>
        <source>the companion does not run</source>
        <translation>语音伙伴没有运行</translation>
    </message>
    <message>
        <source>the companion has stopped listening</source>
        <translation>语音伙伴停止了聆听</translation>
    </message>
    <message>
        <source>the engine does not run</source>
        <translation>伴侣没有在运行</translation>
    </message>
    <message>
        <source>something went wrong inside ({kind})</source>
        <translation>内部出了问题（{kind}）</translation>
    </message>
    <message>
        <source>the check itself failed ({reason})</source>
        <translation>检查本身失败了（{reason}）</translation>
    </message>
    <message>
        <source>no answer within {seconds} s</source>
        <translation>{seconds} 秒内没有回答</translation>
    </message>
    <message>
        <source>the running companion does not answer ({reason})</source>
        <translation>正在运行的伴侣没有回答（{reason}）</translation>
    </message>
    <message>
        <source>the running companion gave no answer</source>
        <translation>正在运行的伴侣没有给出回答</translation>
    </message>
    <message>
        <source>another companion already runs here (process {count})</source>
        <translation>这里已有一个伴侣在运行（进程 {count}）</translation>
    </message>
    <message>
        <source>another companion already runs here</source>
        <translation>这里已有一个伴侣在运行</translation>
    </message>
    <message>
        <source>a companion already runs here: {reason}</source>
        <translation>这里已有一个伴侣在运行：{reason}</translation>
    </message>
    <message>
        <source>no companion is running here</source>
        <translation>这里没有伴侣在运行</translation>
    </message>
    <message>
        <source>process {count} owns the data folder, but {reason}</source>
        <translation>进程 {count} 占用着数据文件夹，但{reason}</translation>
    </message>
    <message>
        <source>process {count}: {phase}</source>
        <translation>进程 {count}：{phase}</translation>
    </message>
    <message>
        <source>this companion has no window</source>
        <translation>这个伴侣没有窗口</translation>
    </message>
    <message>
        <source>this companion cannot be ended from here</source>
        <translation>这个伴侣不能从这里结束</translation>
    </message>
    <message>
        <source>nobody is listening</source>
        <translation>没有谁在听</translation>
    </message>
    <message>
        <source>it was stopped before there was an answer</source>
        <translation>还没有回答就被停止了</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>there was no answer in time</source>
        <translation>没有及时得到回答</translation>
    </message>
    <message>
        <source>the answer takes too long</source>
        <translation>回答花的时间太长</translation>
    </message>
    <message>
        <source>the question is empty or too long</source>
        <translation>问题为空或太长</translation>
    </message>
    <message>
        <source>the question is longer than {count} characters</source>
        <translation>问题超过 {count} 个字符</translation>
    </message>
    <message>
        <source>there is nothing to ask</source>
        <translation>没有要问的内容</translation>
    </message>
    <message>
        <source>there is nothing to say</source>
        <translation>没有要说的内容</translation>
    </message>
    <message>
        <source>too much is going on at the same time</source>
        <translation>同时进行的事情太多</translation>
    </message>
    <message>
        <source>The conversation could not be kept in time.</source>
        <translation>对话没能及时保存</translation>
    </message>
    <message>
        <source>The conversation could not be kept.</source>
        <translation>对话没能保存</translation>
    </message>
    <message>
        <source>the conversation could not be kept: {reason}</source>
        <translation>对话没能保存：{reason}</translation>
    </message>
    <message>
        <source>Sorry, I can&apos;t answer right now.</source>
        <translation>抱歉，我现在无法回答</translation>
    </message>
    <message>
        <source>I could not think of an answer.</source>
        <translation>我没有想出回答</translation>
    </message>
    <message>
        <source>the desktop has no key to talk for us ({reason})</source>
        <translation>桌面没有提供通话键（{reason}）</translation>
    </message>
    <message>
        <source>the desktop was not allowed to give us a key to talk</source>
        <translation>桌面不允许提供通话键</translation>
    </message>
    <message>
        <source>&apos;{keys}&apos; is no key to talk</source>
        <translation>“{keys}”不能用作通话键</translation>
    </message>
    <message>
        <source>memory is turned off</source>
        <translation>记忆已关闭</translation>
    </message>
    <message>
        <source>memory is closed</source>
        <translation>记忆已关闭</translation>
    </message>
    <message>
        <source>knowledge is closed</source>
        <translation>知识已关闭</translation>
    </message>
    <message>
        <source>there is no backup</source>
        <translation>还没有备份</translation>
    </message>
    <message>
        <source>this looks like a password, a code or a card number</source>
        <translation>这看起来像密码、验证码或卡号</translation>
    </message>
    <message>
        <source>there is no key for {provider}</source>
        <translation>没有 {provider} 的密钥</translation>
    </message>
    <message>
        <source>this is no key</source>
        <translation>这不是密钥</translation>
    </message>
    <message>
        <source>the key of a provider holds letters that no key has</source>
        <translation>提供商的密钥含有密钥里不会有的字符</translation>
    </message>
    <message>
        <source>the key would go to cloud.address in the clear</source>
        <translation>密钥会以明文发往 cloud.address</translation>
    </message>
    <message>
        <source>cloud.address is of one server, and {names} would all be asked there</source>
        <translation>cloud.address 只是一台服务器，而 {names} 都会到那里询问</translation>
    </message>
    <message>
        <source>cloud.{setting} names no provider and model</source>
        <translation>cloud.{setting} 没有写明提供商和模型</translation>
    </message>
    <message>
        <source>{reason} (the setting {setting} asks for it)</source>
        <translation>{reason}（设置项 {setting} 需要它）</translation>
    </message>
    <message>
        <source>{host} answers with {status}</source>
        <translation>{host} 返回 {status}</translation>
    </message>
    <message>
        <source>{host} cannot be reached: {reason}</source>
        <translation>无法连接 {host}：{reason}</translation>
    </message>
    <message>
        <source>{host} does not answer</source>
        <translation>{host} 没有回应</translation>
    </message>
    <message>
        <source>the keyring does not answer</source>
        <translation>密钥环没有回应</translation>
    </message>
    <message>
        <source>{host} has a certificate that nobody vouches for</source>
        <translation>{host} 的证书没有可信的担保</translation>
    </message>
    <message>
        <source>{host} sends more than {bytes} bytes</source>
        <translation>{host} 发来的内容超过 {bytes} 字节</translation>
    </message>
    <message>
        <source>{host} sent no sound</source>
        <translation>{host} 没有发来声音</translation>
    </message>
    <message>
        <source>{host} has closed the session: {reason}</source>
        <translation>{host} 关闭了会话：{reason}</translation>
    </message>
    <message>
        <source>the line to {host} broke: {reason}</source>
        <translation>与 {host} 的连接中断：{reason}</translation>
    </message>
    <message>
        <source>no request can be sent to {host}: {count} answers are being read already</source>
        <translation>无法向 {host} 发送请求：已有 {count} 个回答正在读取</translation>
    </message>
    <message>
        <source>no request can be sent to {host}</source>
        <translation>无法向 {host} 发送请求</translation>
    </message>
    <message>
        <source>the proxy does not let through to {host}</source>
        <translation>代理不允许访问 {host}</translation>
    </message>
    <message>
        <source>the proxy is no URL as http://host:port</source>
        <translation>代理不是 http://host:port 这样的地址</translation>
    </message>
    <message>
        <source>this kind of proxy needs a library: socksio</source>
        <translation>这种代理需要一个库：socksio</translation>
    </message>
    <message>
        <source>{title} sends us to another address, and we do not follow (status {status})</source>
        <translation>{title} 让我们转到另一个地址，我们不会跟随（状态 {status}）</translation>
    </message>
    <message>
        <source>{title} sent an answer that cannot be read</source>
        <translation>{title} 发来了无法读取的回答</translation>
    </message>
    <message>
        <source>{title} sent an answer that is no JSON</source>
        <translation>{title} 发来的回答不是 JSON</translation>
    </message>
    <message>
        <source>{title} holds no answer to a schema</source>
        <translation>{title} 不支持按格式回答</translation>
    </message>
    <message>
        <source>{title} is asked in no protocol of {trade} that is known here</source>
        <translation>这里不认识 {title} 的 {trade} 协议</translation>
    </message>
    <message>
        <source>a web page came in place of {title}&apos;s answer: {words}</source>
        <translation>{title} 返回的是网页而不是回答：{words}</translation>
    </message>
    <message>
        <source>a transcription came without its text</source>
        <translation>转写结果里没有文字</translation>
    </message>
    <message>
        <source>the provider sent no sound</source>
        <translation>提供商没有发来声音</translation>
    </message>
    <message>
        <source>the recogniser of this machine hears no recordings</source>
        <translation>这台电脑的识别器不能听录音</translation>
    </message>
    <message>
        <source>speech came as WAV of a kind that is not understood</source>
        <translation>发来的语音是不认识的 WAV 格式</translation>
    </message>
    <message>
        <source>speech came as WAV of {rate} Hz in {count} channels</source>
        <translation>发来的语音是 {rate} Hz、{count} 声道的 WAV</translation>
    </message>
    <message>
        <source>a WAV file without its format came for speech</source>
        <translation>发来的语音 WAV 文件缺少格式</translation>
    </message>
    <message>
        <source>a WAV file without its sound came for speech</source>
        <translation>发来的语音 WAV 文件缺少声音</translation>
    </message>
    <message>
        <source>a piece of speech is longer than {seconds} s</source>
        <translation>一段语音超过 {seconds} 秒</translation>
    </message>
    <message>
        <source>{host} is no address of a provider</source>
        <translation>{host} 不是提供商的地址</translation>
    </message>
    <message>
        <source>{host} does not serve {steps}</source>
        <translation>{host} 不提供 {steps}</translation>
    </message>
    <message>
        <source>{file} holds no certificates that can be read</source>
        <translation>{file} 里没有可读取的证书</translation>
    </message>
    <message>
        <source>the question has about {count} tokens, and one call may have {number}</source>
        <translation>问题约有 {count} 个词元，而每次最多 {number} 个</translation>
    </message>
    <message>
        <source>{service} may cost {cost}, and {rest} of this month&apos;s {budget} are left</source>
        <translation>{service} 可能花费 {cost}，而本月的 {budget} 只剩 {rest}</translation>
    </message>
    <message>
        <source>{name} has failed {count} times and is left alone for another {seconds} s</source>
        <translation>{name} 已失败 {count} 次，再停用 {seconds} 秒</translation>
    </message>
    <message>
        <source>{name} has failed {count} times and is left alone until one question has been answered</source>
        <translation>{name} 已失败 {count} 次，在答出一个问题之前先停用</translation>
    </message>
    <message>
        <source>{file}: what was spent cannot be read: it is no list of costs</source>
        <translation>{file}：无法读取花费：它不是费用列表</translation>
    </message>
    <message>
        <source>nobody answered. {reasons}</source>
        <translation>没有谁回答。{reasons}</translation>
    </message>
    <message>
        <source>Type: companion key set {name} (it is kept in the keyring as {entry}).</source>
        <translation>请输入：companion key set {name}（它以 {entry} 存放在密钥环中）</translation>
    </message>
    <message>
        <source>Type: companion key set {name} (it is kept in the keyring as {entry}), or set {variables}.</source>
        <translation>请输入：companion key set {name}（它以 {entry} 存放在密钥环中），或设置 {variables}</translation>
    </message>
    <message>
        <source>Set the key again.</source>
        <translation>请重新设置密钥</translation>
    </message>
    <message>
        <source>Get one on the page of the models.</source>
        <translation>请在模型页面获取</translation>
    </message>
    <message>
        <source>Copy it whole from the provider&apos;s page, without spaces.</source>
        <translation>请从提供商的页面完整复制，不要带空格</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>请检查地址</translation>
    </message>
    <message>
        <source>Check the address of the provider in the settings.</source>
        <translation>请在设置中检查提供商的地址</translation>
    </message>
    <message>
        <source>Check the network and the address.</source>
        <translation>请检查网络和地址</translation>
    </message>
    <message>
        <source>Check the network, and the name of the model.</source>
        <translation>请检查网络和模型的名字</translation>
    </message>
    <message>
        <source>Check the names of the model and of the voice.</source>
        <translation>请检查模型和嗓音的名字</translation>
    </message>
    <message>
        <source>Check the text: only words are spoken.</source>
        <translation>请检查文字：只有词语会被说出</translation>
    </message>
    <message>
        <source>Check the proxy in the settings.</source>
        <translation>请检查设置中的代理</translation>
    </message>
    <message>
        <source>Check the clock and the network. For a server of your own, name its CA file in the settings.</source>
        <translation>请检查时钟和网络。若是自己的服务器，请在设置中指明它的 CA 文件</translation>
    </message>
    <message>
        <source>Check whether this network asks for a login, and the address of the provider.</source>
        <translation>请检查这个网络是否要求登录，以及提供商的地址</translation>
    </message>
    <message>
        <source>Begin the address with https://, or take a provider that needs no key there.</source>
        <translation>请让地址以 https:// 开头，或使用不需要密钥的提供商</translation>
    </message>
    <message>
        <source>Ask one provider for all steps, or leave cloud.address empty.</source>
        <translation>请让一个提供商负责所有步骤，或让 cloud.address 留空</translation>
    </message>
    <message>
        <source>companion settings set cloud.{setting} PROVIDER/MODEL</source>
        <translation>companion settings set cloud.{setting} 提供商/模型</translation>
    </message>
    <message>
        <source>Leave it out of the settings.</source>
        <translation>请从设置中去掉它</translation>
    </message>
    <message>
        <source>Write it as &quot;https://host/v1&quot;.</source>
        <translation>请写成“https://host/v1”</translation>
    </message>
    <message>
        <source>Type: pip install socksio</source>
        <translation>请输入：pip install socksio</translation>
    </message>
    <message>
        <source>choose another provider for {trade}</source>
        <translation>请为 {trade} 选择别的提供商</translation>
    </message>
    <message>
        <source>change {field} in its file, or choose another model</source>
        <translation>请在它的文件中修改 {field}，或选择别的模型</translation>
    </message>
    <message>
        <source>set the server to 16-bit PCM</source>
        <translation>请把服务器设为 16 位 PCM</translation>
    </message>
    <message>
        <source>did you mean {name}? there are {names}</source>
        <translation>是不是“{name}”？可以是：{names}</translation>
    </message>
    <message>
        <source>there are {names}</source>
        <translation>可以是：{names}</translation>
    </message>
    <message>
        <source>name one in the settings</source>
        <translation>请在设置中指明一个</translation>
    </message>
    <message>
        <source>Look at what each of them says.</source>
        <translation>请看它们各自的说明</translation>
    </message>
    <message>
        <source>Raise cloud.call_tokens, or begin a new conversation.</source>
        <translation>请调高 cloud.call_tokens，或开始新的对话</translation>
    </message>
    <message>
        <source>Raise cloud.monthly_budget, or wait for the next month.</source>
        <translation>请调高 cloud.monthly_budget，或等到下个月</translation>
    </message>
    <message>
        <source>See whether the keyring waits for its password.</source>
        <translation>请看看密钥环是否在等待密码</translation>
    </message>
    <message>
        <source>Wait, or use another provider meanwhile.</source>
        <translation>请等待，或暂时使用别的提供商</translation>
    </message>
    <message>
        <source>Connection refused</source>
        <translation>连接被拒绝</translation>
    </message>
    <message>
        <source>Name or service not known</source>
        <translation>找不到这个名字</translation>
    </message>
    <message>
        <source>Temporary failure in name resolution</source>
        <translation>暂时无法解析名字</translation>
    </message>
    <message>
        <source>Network is unreachable</source>
        <translation>网络无法连接</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>{name} ended its answer before it had begun</source>
        <translation>{name} 的回答还没开始就结束了</translation>
    </message>
    <message>
        <source>{name} stopped in the middle of its answer</source>
        <translation>{name} 的回答中途停下了</translation>
    </message>
    <message>
        <source>the answer of {name} was rejected</source>
        <translation>{name} 的回答没有被接受</translation>
    </message>
    <message>
        <source>Unlock it, or log in again, then try once more.</source>
        <translation>请解锁它，或重新登录，然后再试一次</translation>
    </message>
    <message>
        <source>there is nothing to take back</source>
        <translation>没有可以撤销的</translation>
    </message>
    <message>
        <source>{folder} is no folder</source>
        <translation>{folder} 不是文件夹</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>it cannot be taken back any more</source>
        <translation>这个操作已无法撤销</translation>
    </message>
    <message>
        <source>name either facts by number, or whom it is about</source>
        <translation>请指明事实的编号，或说明是关于谁的</translation>
    </message>
    <message>
        <source>it is not said what to forget</source>
        <translation>没有说明要忘记什么</translation>
    </message>
    <message>
        <source>there is nothing to forget</source>
        <translation>没有可忘记的内容</translation>
    </message>
    <message>
        <source>there is no such fact</source>
        <translation>没有这条事实</translation>
    </message>
    <message>
        <source>there is no such merge to undo</source>
        <translation>没有这样的合并可以撤销</translation>
    </message>
    <message>
        <source>another merge came later</source>
        <translation>后来又有别的合并</translation>
    </message>
    <message>
        <source>it was changed meanwhile, so it stays as it is</source>
        <translation>它在此期间被修改过，因此保持不变</translation>
    </message>
    <message>
        <source>whoever it went up in has its name now</source>
        <translation>合并后的一方现在用着它的名字</translation>
    </message>
    <message>
        <source>Give them another name first.</source>
        <translation>请先给对方换一个名字</translation>
    </message>
    <message>
        <source>these two are the same already</source>
        <translation>这两个本来就是同一个</translation>
    </message>
    <message>
        <source>these are more than {count} facts</source>
        <translation>这些超过 {count} 条事实</translation>
    </message>
    <message>
        <source>more than {count} facts were named</source>
        <translation>指明的事实超过 {count} 条</translation>
    </message>
    <message>
        <source>{count} facts at once are more than {number}</source>
        <translation>一次 {count} 条事实，超过了 {number} 条</translation>
    </message>
    <message>
        <source>a fact needs to say in a few words who said it</source>
        <translation>事实需要简短写明是谁说的</translation>
    </message>
    <message>
        <source>a name has 1 to {count} characters</source>
        <translation>名字要有 1 到 {count} 个字符</translation>
    </message>
    <message>
        <source>a time of a fact has no zone</source>
        <translation>事实的时间没有时区</translation>
    </message>
    <message>
        <source>it has {count} names already</source>
        <translation>它已经有 {count} 个名字</translation>
    </message>
    <message>
        <source>it would have more than {count} names</source>
        <translation>这样它的名字会超过 {count} 个</translation>
    </message>
    <message>
        <source>nobody has that alias</source>
        <translation>没有谁有这个别名</translation>
    </message>
    <message>
        <source>that name is somebody else&apos;s</source>
        <translation>这个名字属于别的人或事物</translation>
    </message>
    <message>
        <source>this is not stored: it ties something to itself</source>
        <translation>没有保存：它把事物与自身联系在一起</translation>
    </message>
    <message>
        <source>this is not stored: {reason}</source>
        <translation>没有保存：{reason}</translation>
    </message>
    <message>
        <source>this name is not stored: {reason}</source>
        <translation>这个名字没有保存：{reason}</translation>
    </message>
    <message>
        <source>it is a password or a code</source>
        <translation>它是密码或验证码</translation>
    </message>
    <message>
        <source>too much is known of it to be moved</source>
        <translation>与它有关的内容太多，无法移动</translation>
    </message>
    <message>
        <source>too much waits to be stored or recalled</source>
        <translation>等待保存或回忆的内容太多</translation>
    </message>
    <message>
        <source>the conversation cannot be archived</source>
        <translation>无法归档对话</translation>
    </message>
    <message>
        <source>memory could not be {done} ({file}: {reason})</source>
        <translation>记忆无法完成操作“{done}”（{file}：{reason}）</translation>
    </message>
    <message>
        <source>memory.db stays as it is: no good backup was found</source>
        <translation>memory.db 保持不变：没有找到完好的备份</translation>
    </message>
    <message>
        <source>{error}, and no more can be kept until it can</source>
        <translation>{error}；在恢复之前无法保存更多</translation>
    </message>
    <message>
        <source>{error}; it is kept until it can</source>
        <translation>{error}；会先留着，等可以时再保存</translation>
    </message>
    <message>
        <source>{file} is damaged and could not be set aside: {reason}</source>
        <translation>{file} 已损坏，也无法移到一边：{reason}</translation>
    </message>
    <message>
        <source>{file} is larger than {size} GB</source>
        <translation>{file} 大于 {size} GB</translation>
    </message>
    <message>
        <source>{file} is no export of memory: {reason}</source>
        <translation>{file} 不是记忆的导出文件：{reason}</translation>
    </message>
    <message>
        <source>{file} was written by a newer companion (its step {step} is unknown)</source>
        <translation>{file} 是由更新版本的程序写的（不认识它的第 {step} 步）</translation>
    </message>
    <message>
        <source>Look at what is known first.</source>
        <translation>请先看看都知道些什么</translation>
    </message>
    <message>
        <source>Choose it in the picture.</source>
        <translation>请在图中选择它</translation>
    </message>
    <message>
        <source>Name one.</source>
        <translation>请指明一个</translation>
    </message>
    <message>
        <source>Name two different ones.</source>
        <translation>请指明两个不同的</translation>
    </message>
    <message>
        <source>Name them in parts.</source>
        <translation>请分几次指明</translation>
    </message>
    <message>
        <source>Name what or whom it is about.</source>
        <translation>请指明是关于什么或关于谁的</translation>
    </message>
    <message>
        <source>Name whoever said it.</source>
        <translation>请写明是谁说的</translation>
    </message>
    <message>
        <source>Give times with their zone.</source>
        <translation>请写明时区</translation>
    </message>
    <message>
        <source>Store them in parts.</source>
        <translation>请分几次保存</translation>
    </message>
    <message>
        <source>Forget them in parts.</source>
        <translation>请分几次忘记</translation>
    </message>
    <message>
        <source>It may have been forgotten already.</source>
        <translation>它可能已经被忘记了</translation>
    </message>
    <message>
        <source>It may have been undone, or forgotten for good.</source>
        <translation>它可能已经撤销，或被永久忘记了</translation>
    </message>
    <message>
        <source>Undo that one first.</source>
        <translation>请先撤销那一个</translation>
    </message>
    <message>
        <source>Merge the two, or take another name.</source>
        <translation>请合并这两个，或换一个名字</translation>
    </message>
    <message>
        <source>Merge them the other way round.</source>
        <translation>请反过来合并</translation>
    </message>
    <message>
        <source>Take another name.</source>
        <translation>请换一个名字</translation>
    </message>
    <message>
        <source>Take an alias away first.</source>
        <translation>请先去掉一个别名</translation>
    </message>
    <message>
        <source>Take some aliases away first.</source>
        <translation>请先去掉一些别名</translation>
    </message>
    <message>
        <source>Say it in other words.</source>
        <translation>请换一种说法</translation>
    </message>
    <message>
        <source>Tell me again what I should know.</source>
        <translation>请再告诉我一次该记住什么</translation>
    </message>
    <message>
        <source>Name a file that `companion memory export` wrote.</source>
        <translation>请指明由 `companion memory export` 写出的文件</translation>
    </message>
    <message>
        <source>Name a file that can be read.</source>
        <translation>请指明可以读取的文件</translation>
    </message>
    <message>
        <source>Free some space for the companion&apos;s data.</source>
        <translation>请为伴侣的数据腾出一些空间</translation>
    </message>
    <message>
        <source>Free some space or allow reading and writing there.</source>
        <translation>请腾出一些空间，或允许读写那里</translation>
    </message>
    <message>
        <source>Free some space or allow writing there; what is stored is as it was.</source>
        <translation>请腾出一些空间，或允许写入那里；已存的内容没有变</translation>
    </message>
    <message>
        <source>Free some space or name another place.</source>
        <translation>请腾出一些空间，或换一个位置</translation>
    </message>
    <message>
        <source>Allow writing in its folder, or move the file away.</source>
        <translation>请允许写入它的文件夹，或把文件移走</translation>
    </message>
    <message>
        <source>Nothing else needs to be done.</source>
        <translation>不需要做别的</translation>
    </message>
    <message>
        <source>Update the companion.</source>
        <translation>请更新本程序</translation>
    </message>
    <message>
        <source>there is no note called &apos;{name}&apos;</source>
        <translation>没有名为“{name}”的笔记</translation>
    </message>
    <message>
        <source>this note cannot be put back any more</source>
        <translation>这条笔记已无法恢复</translation>
    </message>
    <message>
        <source>a note has at most {count} characters</source>
        <translation>笔记最多 {count} 个字符</translation>
    </message>
    <message>
        <source>this is longer than {count} characters</source>
        <translation>超过 {count} 个字符</translation>
    </message>
    <message>
        <source>this is no text that can be written</source>
        <translation>这不是可以写下的文字</translation>
    </message>
    <message>
        <source>this cannot be the name of knowledge</source>
        <translation>这不能作为知识的名字</translation>
    </message>
    <message>
        <source>this name leads out of the folder of knowledge</source>
        <translation>这个名字指向知识文件夹之外</translation>
    </message>
    <message>
        <source>there is nothing to keep</source>
        <translation>没有可保存的内容</translation>
    </message>
    <message>
        <source>there is knowledge called &quot;{name}&quot; already</source>
        <translation>已有名为“{name}”的知识</translation>
    </message>
    <message>
        <source>there are {count} pieces of knowledge already</source>
        <translation>已有 {count} 条知识</translation>
    </message>
    <message>
        <source>there are more than {count} folders of documents</source>
        <translation>文档文件夹超过 {count} 个</translation>
    </message>
    <message>
        <source>{path} is not among the folders</source>
        <translation>{path} 不在文件夹列表中</translation>
    </message>
    <message>
        <source>the index holds {count} passages, and no more</source>
        <translation>索引最多容纳 {count} 段</translation>
    </message>
    <message>
        <source>the process that reads files cannot be started</source>
        <translation>无法启动读取文件的进程</translation>
    </message>
    <message>
        <source>too many questions to your documents wait</source>
        <translation>等待查询文档的问题太多</translation>
    </message>
    <message>
        <source>it is kept, but cannot be found yet</source>
        <translation>已保存，但暂时还搜不到</translation>
    </message>
    <message>
        <source>it cannot be taken in</source>
        <translation>无法收录</translation>
    </message>
    <message>
        <source>it is locked with a password</source>
        <translation>有密码保护</translation>
    </message>
    <message>
        <source>it is locked with a password, or a file of an older Word</source>
        <translation>有密码保护，或是旧版 Word 文件</translation>
    </message>
    <message>
        <source>it is locked in a way that cannot be opened here</source>
        <translation>它被锁定，这里无法打开</translation>
    </message>
    <message>
        <source>it has no text; it may be a scan</source>
        <translation>没有文字，可能是扫描件</translation>
    </message>
    <message>
        <source>it is no PDF file, or a broken one</source>
        <translation>不是 PDF 文件，或已损坏</translation>
    </message>
    <message>
        <source>it is no Word file, or a broken one</source>
        <translation>不是 Word 文件，或已损坏</translation>
    </message>
    <message>
        <source>it is no text, or in an encoding that is not known</source>
        <translation>不是文本，或编码未知</translation>
    </message>
    <message>
        <source>it is larger than {size} MB</source>
        <translation>超过 {size} MB</translation>
    </message>
    <message>
        <source>it unpacks to more than {size} MB</source>
        <translation>它解压后超过 {size} MB</translation>
    </message>
    <message>
        <source>it took longer than {seconds} s to read</source>
        <translation>读取它超过了 {seconds} 秒</translation>
    </message>
    <message>
        <source>it declares a document type, which Word files do not do</source>
        <translation>它声明了文档类型，而 Word 文件不会这样</translation>
    </message>
    <message>
        <source>its text is broken: {reason}</source>
        <translation>它的文字已损坏：{reason}</translation>
    </message>
    <message>
        <source>it cannot be opened: {reason}</source>
        <translation>打不开：{reason}</translation>
    </message>
    <message>
        <source>it cannot be read: {reason}</source>
        <translation>无法读取：{reason}</translation>
    </message>
    <message>
        <source>Allow reading and writing there.</source>
        <translation>请允许读写那里</translation>
    </message>
    <message>
        <source>Free some memory.</source>
        <translation>请腾出一些内存</translation>
    </message>
    <message>
        <source>Free some space or allow writing there; your files are as they were.</source>
        <translation>请腾出一些空间，或允许写入那里；您的文件没有变</translation>
    </message>
    <message>
        <source>Leave out broken characters.</source>
        <translation>请去掉损坏的字符</translation>
    </message>
    <message>
        <source>Name a folder that holds several of them.</source>
        <translation>请指明包含它们的上级文件夹</translation>
    </message>
    <message>
        <source>Remove some.</source>
        <translation>请删除一些</translation>
    </message>
    <message>
        <source>Say what shall be known.</source>
        <translation>请写明要知道什么</translation>
    </message>
    <message>
        <source>Split it into several pieces.</source>
        <translation>请把它分成几份</translation>
    </message>
    <message>
        <source>Cut it into shorter files.</source>
        <translation>请把它分成较短的文件</translation>
    </message>
    <message>
        <source>Keep it as a file in one of the folders.</source>
        <translation>请把它作为文件放进其中一个文件夹</translation>
    </message>
    <message>
        <source>See them: companion knowledge folders</source>
        <translation>查看它们：companion knowledge folders</translation>
    </message>
    <message>
        <source>Use letters, digits, spaces, - and _, and no more than {count} of them.</source>
        <translation>请使用字母、数字、空格、- 和 _，最多 {count} 个</translation>
    </message>
    <message>
        <source>{file} could not be {done}: {reason}</source>
        <translation>无法对 {file} 完成操作“{done}”：{reason}</translation>
    </message>
    <message>
        <source>nothing is known under that name any more</source>
        <translation>这个名称下已没有任何记忆</translation>
    </message>
    <message>
        <source>nothing is known under that name</source>
        <translation>这个名字下没有任何内容</translation>
    </message>
    <message>
        <source>this cannot be taken back any more</source>
        <translation>已无法撤销</translation>
    </message>
    <message>
        <source>{size} GB free</source>
        <translation>还剩 {size} GB</translation>
    </message>
    <message>
        <source>{url}: comes too slowly</source>
        <translation>{url}：传输太慢</translation>
    </message>
    <message>
        <source>{url}: answers {status} {reason}</source>
        <translation>{url}：返回 {status} {reason}</translation>
    </message>
    <message>
        <source>{url}: sends more than {bytes} bytes</source>
        <translation>{url}：发来的内容超过 {bytes} 字节</translation>
    </message>
    <message>
        <source>{url}: sends {left} bytes where the manifest says {bytes}</source>
        <translation>{url}：发来 {left} 字节，而清单写的是 {bytes} 字节</translation>
    </message>
    <message>
        <source>{error}, and asks to wait {seconds} seconds</source>
        <translation>{error}，并要求等待 {seconds} 秒</translation>
    </message>
    <message>
        <source>the connection ended early</source>
        <translation>连接提前中断</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>文件或文件夹不存在</translation>
    </message>
    <message>
        <source>plug it in, or choose another: companion devices</source>
        <translation>请插上，或换一个</translation>
    </message>
    <message>
        <source>plug it in again</source>
        <translation>请重新插上</translation>
    </message>
    <message>
        <source>plug one in</source>
        <translation>请插上一个</translation>
    </message>
    <message>
        <source>plug in a sound device</source>
        <translation>请接上声音设备</translation>
    </message>
    <message>
        <source>start PulseAudio or PipeWire (and: sudo apt install libasound2-plugins), or plug in a sound device</source>
        <translation>请启动 PulseAudio 或 PipeWire（并运行 sudo apt install libasound2-plugins），或接上声音设备</translation>
    </message>
    <message>
        <source>Turn it on in the settings: memory.keep.</source>
        <translation>请在设置里打开“记住您告诉我的事”。</translation>
    </message>
    <message>
        <source>Make one: companion memory backup</source>
        <translation>请先在菜单里备份。</translation>
    </message>
    <message>
        <source>Look at the whole picture.</source>
        <translation>请看整张图。</translation>
    </message>
    <message>
        <source>Correct it by hand.</source>
        <translation>请手动更正。</translation>
    </message>
    <message>
        <source>Make it {what}.</source>
        <translation>请改为：{what}。</translation>
    </message>
    <message>
        <source>check that it is not muted</source>
        <translation>请检查是否被静音</translation>
    </message>
    <message>
        <source>check that it is plugged in</source>
        <translation>请检查是否插好</translation>
    </message>
    <message>
        <source>start PulseAudio or PipeWire, then try again</source>
        <translation>请启动 PulseAudio 或 PipeWire 后再试</translation>
    </message>
    <message>
        <source>Run `companion models pull {names}`. Without a network: run it with `--to /media/stick` on a machine that has one, then with `--from /media/stick` here.</source>
        <translation>请在“设置”的“模型”里下载，或运行 `companion models pull {names}`。没有网络时，可以在另一台电脑上下载到 U 盘，再从这里导入。</translation>
    </message>
    <message>
        <source>{mend} Then move {name} back to {file}.</source>
        <translation>{mend} 然后把 {name} 改回 {file}。</translation>
    </message>
    <message>
        <source>Free some space there, or set COMPANION_HOME to a folder on a larger disk.</source>
        <translation>请腾出空间，或把 COMPANION_HOME 设为更大磁盘上的文件夹。</translation>
    </message>
    <message>
        <source>Free some space or allow writing there; the file is as it was.</source>
        <translation>请腾出空间或允许写入；文件保持原样。</translation>
    </message>
    <message>
        <source>Choose another place, or free some space.</source>
        <translation>请换个位置，或腾出空间。</translation>
    </message>
    <message>
        <source>{file} cannot be read</source>
        <translation>无法读取 {file}</translation>
    </message>
    <message>
        <source>{file} could not be read: {reason}</source>
        <translation>无法读取 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} could not be reached: {reason}</source>
        <translation>无法访问 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} could not be used: {reason}</source>
        <translation>无法使用 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} could not be read in time</source>
        <translation>没能及时读取 {file}</translation>
    </message>
    <message>
        <source>{file} cannot be used: {reason}</source>
        <translation>无法使用 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} cannot be removed: {reason}</source>
        <translation>无法删除 {file}：{reason}</translation>
    </message>
    <message>
        <source>{file} cannot be written</source>
        <translation>无法写入 {file}</translation>
    </message>
    <message>
        <source>{file} is there already</source>
        <translation>{file} 已经存在</translation>
    </message>
    <message>
        <source>{file} is no file</source>
        <translation>{file} 不是文件</translation>
    </message>
    <message>
        <source>{file} is no whole path</source>
        <translation>{file} 不是完整路径</translation>
    </message>
    <message>
        <source>{file} is no picture</source>
        <translation>{file} 不是图片</translation>
    </message>
    <message>
        <source>{file} is empty</source>
        <translation>{file} 是空的</translation>
    </message>
    <message>
        <source>{file} is longer than {bytes} bytes</source>
        <translation>{file} 超过 {bytes} 字节</translation>
    </message>
    <message>
        <source>{file} is longer than {seconds} s</source>
        <translation>{file} 超过 {seconds} 秒</translation>
    </message>
    <message>
        <source>{file} line {line}: this is no UTF-8 text</source>
        <translation>{file} 第 {line} 行：不是 UTF-8 文字</translation>
    </message>
    <message>
        <source>{file}: this is no UTF-8 text</source>
        <translation>{file}：不是 UTF-8 文字</translation>
    </message>
    <message>
        <source>{file}: it cannot be written there</source>
        <translation>{file}：那里无法写入</translation>
    </message>
    <message>
        <source>{file}: the ending names no kind of sound</source>
        <translation>{file}：扩展名不是声音格式</translation>
    </message>
    <message>
        <source>{file} did not come with the program</source>
        <translation>程序没有附带 {file}</translation>
    </message>
    <message>
        <source>{folder}: no command rules came with the program</source>
        <translation>{folder}：程序没有附带命令规则</translation>
    </message>
    <message>
        <source>{folder} belongs to somebody else</source>
        <translation>{folder} 属于别的用户</translation>
    </message>
    <message>
        <source>{place}: there is no setting {name}</source>
        <translation>{place}：没有设置项 {name}</translation>
    </message>
    <message>
        <source>there is no setting {name}</source>
        <translation>没有设置项 {name}</translation>
    </message>
    <message>
        <source>{place}: {name} is no table</source>
        <translation>{place}：{name} 不是一个表</translation>
    </message>
    <message>
        <source>{place}: {name} is {value}</source>
        <translation>{place}：{name} 是 {value}</translation>
    </message>
    <message>
        <source>{place}: version is {version}, this companion knows {known}</source>
        <translation>{place}：版本是 {version}，而本程序支持 {known}</translation>
    </message>
    <message>
        <source>{setting} cannot be {value}</source>
        <translation>{setting} 不能是 {value}</translation>
    </message>
    <message>
        <source>{name} was changed elsewhere meanwhile, so it stays as it is</source>
        <translation>{name} 在此期间被别处修改过，因此保持不变</translation>
    </message>
    <message>
        <source>{file} is being changed by another process, which does not come to an end</source>
        <translation>另一个进程正在修改 {file}，而且一直没有结束</translation>
    </message>
    <message>
        <source>a broken file is kept: {name}</source>
        <translation>损坏的文件保存为：{name}</translation>
    </message>
    <message>
        <source>none yet; the defaults are used</source>
        <translation>还没有；使用默认设置</translation>
    </message>
    <message>
        <source>settings in {folder}</source>
        <translation>设置在 {folder}</translation>
    </message>
    <message>
        <source>data in {folder}</source>
        <translation>数据在 {folder}</translation>
    </message>
    <message>
        <source>log in {folder}</source>
        <translation>日志在 {folder}</translation>
    </message>
    <message>
        <source>this user has no home folder ({reason})</source>
        <translation>这个用户没有主文件夹（{reason}）</translation>
    </message>
    <message>
        <source>COMPANION_HOME is &apos;{folder}&apos;, which leads nowhere</source>
        <translation>COMPANION_HOME 是“{folder}”，那里什么也没有</translation>
    </message>
    <message>
        <source>the lock file {file} cannot be opened: {reason}</source>
        <translation>无法打开锁文件 {file}：{reason}</translation>
    </message>
    <message>
        <source>the control socket {file} cannot be made: {reason}</source>
        <translation>无法创建控制套接字 {file}：{reason}</translation>
    </message>
    <message>
        <source>{path}: {name} is {value}, which is no {kind}</source>
        <translation>{path}：{name} 是 {value}，它不是 {kind}</translation>
    </message>
    <message>
        <source>&apos;{name}&apos; cannot be the name of a conversation</source>
        <translation>“{name}”不能作为对话的名字</translation>
    </message>
    <message>
        <source>{folder} could not be read in {seconds} s</source>
        <translation>{seconds} 秒内没能读取 {folder}</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>这不是文件夹</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>读写出错</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许这样操作</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件太多</translation>
    </message>
    <message>
        <source>Device or resource busy</source>
        <translation>设备正忙</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>磁盘配额已用完</translation>
    </message>
    <message>
        <source>Mend line {line}; text stands in double quotes.</source>
        <translation>请修正第 {line} 行；文字要放在双引号里</translation>
    </message>
    <message>
        <source>Write [{name}] on a line of its own.</source>
        <translation>请把 [{name}] 单独写成一行</translation>
    </message>
    <message>
        <source>Write each table and each key once.</source>
        <translation>每个表和每个键只写一次</translation>
    </message>
    <message>
        <source>Update companion, or remove the line if you wrote it.</source>
        <translation>请更新本程序；如果那一行是您写的，请删除它</translation>
    </message>
    <message>
        <source>Mend it and move it back, or remove it.</source>
        <translation>请修好后移回去，或删除它</translation>
    </message>
    <message>
        <source>Set it to what you want.</source>
        <translation>请把它设成您想要的</translation>
    </message>
    <message>
        <source>Only changes since the start can be taken back.</source>
        <translation>只能撤销启动之后的修改</translation>
    </message>
    <message>
        <source>Try again, or end that process.</source>
        <translation>请重试，或结束那个进程</translation>
    </message>
    <message>
        <source>Free some space or allow writing there; your note is not kept.</source>
        <translation>请腾出一些空间，或允许写入那里；您的备注没有保存</translation>
    </message>
    <message>
        <source>Free some space or allow writing there.</source>
        <translation>请腾出一些空间，或允许写入那里</translation>
    </message>
    <message>
        <source>Free some space, or allow writing there.</source>
        <translation>请腾出一些空间，或允许写入那里</translation>
    </message>
    <message>
        <source>Free some space: conversations and timers cannot be kept.</source>
        <translation>请腾出空间：对话和计时器无法保存。</translation>
    </message>
    <message>
        <source>Allow your user to read it, or remove it.</source>
        <translation>请允许读取它，或删除它</translation>
    </message>
    <message>
        <source>Allow your user to change it.</source>
        <translation>请允许修改它</translation>
    </message>
    <message>
        <source>Allow your user to write there, or name another folder in COMPANION_HOME.</source>
        <translation>请允许写入那里，或在 COMPANION_HOME 中指明别的文件夹</translation>
    </message>
    <message>
        <source>Allow your user to write there, or set COMPANION_HOME.</source>
        <translation>请允许写入那里，或设置 COMPANION_HOME</translation>
    </message>
    <message>
        <source>Allow your user to write there, or set XDG_RUNTIME_DIR.</source>
        <translation>请允许写入那里，或设置 XDG_RUNTIME_DIR</translation>
    </message>
    <message>
        <source>Set XDG_RUNTIME_DIR to a folder of yours.</source>
        <translation>请把 XDG_RUNTIME_DIR 设为您自己的文件夹</translation>
    </message>
    <message>
        <source>Set HOME, or name a folder in COMPANION_HOME.</source>
        <translation>请设置 HOME，或在 COMPANION_HOME 中指明一个文件夹</translation>
    </message>
    <message>
        <source>Use up to 64 letters, digits, - and _ in history.session.</source>
        <translation>history.session 中最多使用 64 个字母、数字、- 和 _</translation>
    </message>
    <message>
        <source>Use {endings}.</source>
        <translation>请使用 {endings}</translation>
    </message>
    <message>
        <source>Remove it yourself.</source>
        <translation>请自行删除它</translation>
    </message>
    <message>
        <source>Name a whole path in it.</source>
        <translation>请在其中写明完整路径</translation>
    </message>
    <message>
        <source>Name another place.</source>
        <translation>请换一个位置</translation>
    </message>
    <message>
        <source>Name a file that ends in .svg.</source>
        <translation>请指明以 .svg 结尾的文件</translation>
    </message>
    <message>
        <source>Name a file that ends in .zip.</source>
        <translation>请指明以 .zip 结尾的文件</translation>
    </message>
    <message>
        <source>Name a file that you may read.</source>
        <translation>请指明您可以读取的文件</translation>
    </message>
    <message>
        <source>Name a file in that folder.</source>
        <translation>请指明那个文件夹里的文件</translation>
    </message>
    <message>
        <source>Name the file from the root on.</source>
        <translation>请写出从根目录开始的路径</translation>
    </message>
    <message>
        <source>Mend the file, or remove it to begin at nothing.</source>
        <translation>请修好文件，或删除它从头开始</translation>
    </message>
    <message>
        <source>{place} cannot be changed</source>
        <translation>无法修改 {place}</translation>
    </message>
    <message>
        <source>Free some space before you pull models.</source>
        <translation>下载模型前请先腾出空间。</translation>
    </message>
    <message>
        <source>Close other programs, or choose smaller models: companion models list.</source>
        <translation>请关闭其他程序，或选择更小的模型。</translation>
    </message>
    <message>
        <source>Free some space.</source>
        <translation>请腾出空间。</translation>
    </message>
    <message>
        <source>Allow writing there.</source>
        <translation>请允许写入那里。</translation>
    </message>
    <message>
        <source>Allow reading it.</source>
        <translation>请允许读取。</translation>
    </message>
    <message>
        <source>Allow reading {file}, then start again.</source>
        <translation>请允许读取 {file}，然后重新启动。</translation>
    </message>
    <message>
        <source>Allow your user to read it.</source>
        <translation>请允许您的用户读取它。</translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation>请换一个。</translation>
    </message>
    <message>
        <source>Choose a shorter time.</source>
        <translation>请选短一点的时间。</translation>
    </message>
    <message>
        <source>Cancel one first.</source>
        <translation>请先取消一个。</translation>
    </message>
    <message>
        <source>Set it anew.</source>
        <translation>请重新设定。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请再试一次。</translation>
    </message>
    <message>
        <source>the keyboard cannot be watched</source>
        <translation>无法监听键盘</translation>
    </message>
    <message>
        <source>pynput is not installed</source>
        <translation>没有安装 pynput</translation>
    </message>
    <message>
        <source>nothing came within {seconds} seconds</source>
        <translation>{seconds} 秒内没有任何结果</translation>
    </message>
    <message>
        <source>a reminder says what to be reminded of</source>
        <translation>提醒需要写明要提醒什么</translation>
    </message>
    <message>
        <source>there is no {thing} to set</source>
        <translation>不能设置“{thing}”</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no time</source>
        <translation>“{text}”不是时间</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; has no zone</source>
        <translation>“{text}”没有时区</translation>
    </message>
    <message>
        <source>at is missing</source>
        <translation>缺少时间</translation>
    </message>
    <message>
        <source>query is empty</source>
        <translation>没有输入要找的内容</translation>
    </message>
    <message>
        <source>there is no verdict &apos;{word}&apos;</source>
        <translation>没有评价“{word}”</translation>
    </message>
    <message>
        <source>there is no step &apos;{name}&apos;</source>
        <translation>没有步骤“{name}”</translation>
    </message>
    <message>
        <source>a step cannot be &apos;{name}&apos;</source>
        <translation>步骤不能是“{name}”</translation>
    </message>
    <message>
        <source>there is no personality &apos;{name}&apos;</source>
        <translation>没有名为“{name}”的性格</translation>
    </message>
    <message>
        <source>there is no personality &apos;{name}&apos;; yours is used</source>
        <translation>没有名为“{name}”的性格；使用您自己的</translation>
    </message>
    <message>
        <source>there is no permission &apos;{word}&apos;</source>
        <translation>没有权限“{word}”</translation>
    </message>
    <message>
        <source>{name} does not ask for {permissions}</source>
        <translation>{name} 没有请求 {permissions}</translation>
    </message>
    <message>
        <source>a plugin cannot be called &apos;{name}&apos;</source>
        <translation>插件不能叫“{name}”</translation>
    </message>
    <message>
        <source>plugin {name}: it may ask for http and https of other machines</source>
        <translation>插件 {name}：它只能通过 http 和 https 访问其他机器</translation>
    </message>
    <message>
        <source>there is no {desk} {action}</source>
        <translation>没有“{desk} {action}”</translation>
    </message>
    <message>
        <source>{name} is missing or no number</source>
        <translation>缺少 {name}，或它不是数字</translation>
    </message>
    <message>
        <source>{name} is missing or no text</source>
        <translation>缺少 {name}，或它不是文字</translation>
    </message>
    <message>
        <source>{name} is no list of texts</source>
        <translation>{name} 不是文字列表</translation>
    </message>
    <message>
        <source>{name} is no whole number</source>
        <translation>{name} 不是整数</translation>
    </message>
    <message>
        <source>{name} holds signs that are no text</source>
        <translation>{name} 含有不是文字的符号</translation>
    </message>
    <message>
        <source>this is not the bundle that was shown last</source>
        <translation>这不是最后显示的那份诊断包</translation>
    </message>
    <message>
        <source>nothing of the bundle is chosen</source>
        <translation>没有选择诊断包的任何部分</translation>
    </message>
    <message>
        <source>{name} cannot hold the bundle</source>
        <translation>{name} 不能用来存放诊断包</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>请以后再试。</translation>
    </message>
    <message>
        <source>Ask again.</source>
        <translation>请再问一次</translation>
    </message>
    <message>
        <source>Start it again.</source>
        <translation>请重新启动。</translation>
    </message>
    <message>
        <source>Start it again. The log tells more.</source>
        <translation>请重新启动，日志里有更多说明。</translation>
    </message>
    <message>
        <source>Start one by `companion`.</source>
        <translation>请运行 `companion` 来启动</translation>
    </message>
    <message>
        <source>Restart the companion.</source>
        <translation>请重新启动伴侣</translation>
    </message>
    <message>
        <source>Restart it instead.</source>
        <translation>请改为重新启动它</translation>
    </message>
    <message>
        <source>End it by `companion shutdown`, then start.</source>
        <translation>请先用 `companion shutdown` 结束它，再启动</translation>
    </message>
    <message>
        <source>End it: kill {count}. Then start again.</source>
        <translation>请结束它：kill {count}，然后重新启动</translation>
    </message>
    <message>
        <source>Talk to it by `companion status`, `talk`, `stop` or `mute`, or end it by `companion shutdown`.</source>
        <translation>请用 `companion status`、`talk`、`stop` 或 `mute` 与它交流，或用 `companion shutdown` 结束它</translation>
    </message>
    <message>
        <source>See the log.</source>
        <translation>请查看日志。</translation>
    </message>
    <message>
        <source>See the other findings, or the log.</source>
        <translation>请看其他检查结果，或看日志</translation>
    </message>
    <message>
        <source>See the help of the command.</source>
        <translation>请看命令的帮助</translation>
    </message>
    <message>
        <source>Restart the machine&apos;s sound or disk; see the log.</source>
        <translation>请重新启动声音系统或检查磁盘；并看日志</translation>
    </message>
    <message>
        <source>Wait until some of it is done.</source>
        <translation>请等其中一些完成</translation>
    </message>
    <message>
        <source>check the disk</source>
        <translation>请检查磁盘</translation>
    </message>
    <message>
        <source>Set lost timers anew.</source>
        <translation>请重新设置丢失的计时器</translation>
    </message>
    <message>
        <source>It may have been removed.</source>
        <translation>它可能已经被删除了</translation>
    </message>
    <message>
        <source>Write it as 2026-03-01T18:30+01:00.</source>
        <translation>请写成 2026-03-01T18:30+01:00</translation>
    </message>
    <message>
        <source>Write it as 2026-03-01T18:30.</source>
        <translation>请写成 2026-03-01T18:30</translation>
    </message>
    <message>
        <source>Name the time of the question.</source>
        <translation>请指明提问的时间</translation>
    </message>
    <message>
        <source>Type a few words.</source>
        <translation>请输入几个词</translation>
    </message>
    <message>
        <source>Type it anew.</source>
        <translation>请重新输入</translation>
    </message>
    <message>
        <source>Write a few words.</source>
        <translation>请写几个词</translation>
    </message>
    <message>
        <source>There are: {names}.</source>
        <translation>可以是：{names}</translation>
    </message>
    <message>
        <source>It can be: {names}.</source>
        <translation>可以是：{names}</translation>
    </message>
    <message>
        <source>Choose one of {names}.</source>
        <translation>请从这些里选择：{names}</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请换一个名字</translation>
    </message>
    <message>
        <source>Shorten it, or keep it as knowledge.</source>
        <translation>请缩短它，或把它存为知识</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>请缩短它</translation>
    </message>
    <message>
        <source>Shorten it; ours is used meanwhile.</source>
        <translation>请缩短它；目前使用自带的</translation>
    </message>
    <message>
        <source>Write who the companion is.</source>
        <translation>请写明伴侣是谁</translation>
    </message>
    <message>
        <source>Write who the companion is, or remove it; ours is used meanwhile.</source>
        <translation>请写明伴侣是谁，或删除它；目前使用自带的</translation>
    </message>
    <message>
        <source>Save it as UTF-8.</source>
        <translation>请存为 UTF-8 编码</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>请去掉它</translation>
    </message>
    <message>
        <source>Update companion.</source>
        <translation>请更新本程序</translation>
    </message>
    <message>
        <source>Say it in parts.</source>
        <translation>请分几次说</translation>
    </message>
    <message>
        <source>Choose a part of it.</source>
        <translation>请至少选择一部分</translation>
    </message>
    <message>
        <source>Make it again, and look at it.</source>
        <translation>请重新生成并查看</translation>
    </message>
    <message>
        <source>run `companion doctor`</source>
        <translation>请运行 `companion doctor`</translation>
    </message>
    <message>
        <source>too many control clients</source>
        <translation>控制连接太多</translation>
    </message>
    <message>
        <source>Write it anew.</source>
        <translation>请重新写</translation>
    </message>
    <message>
        <source>Say it in quotes.</source>
        <translation>请放在引号里</translation>
    </message>
    <message>
        <source>{name} is no list of whole numbers</source>
        <translation>{name} 不是整数列表</translation>
    </message>
    <message>
        <source>Check the network, or try again later.</source>
        <translation>请检查网络，或以后再试。</translation>
    </message>
    <message>
        <source>Those are never kept.</source>
        <translation>这类内容从不保存。</translation>
    </message>
    <message>
        <source>Name one that is there.</source>
        <translation>请选一个存在的。</translation>
    </message>
    <message>
        <source>Turn it on: companion settings set memory.keep true</source>
        <translation>请在设置里打开“记住您告诉我的事”。</translation>
    </message>
    <message>
        <source>Bind `companion toggle` to a key in the desktop&apos;s own keyboard settings.</source>
        <translation>请在桌面的键盘设置里，把某个键设为运行 `companion toggle`。</translation>
    </message>
    <message>
        <source>Run pip install &apos;companion[talk-key]&apos;, or bind `companion toggle` to a key.</source>
        <translation>请运行 pip install &apos;companion[talk-key]&apos;，或把 `companion toggle` 设为一个快捷键</translation>
    </message>
    <message>
        <source>Allow it, then try again.</source>
        <translation>请允许它，然后重试</translation>
    </message>
    <message>
        <source>Write some of ctrl, alt, shift, super and a key: ctrl+alt+space.</source>
        <translation>请写 ctrl、alt、shift、super 中的几个加一个键，如 ctrl+alt+space。</translation>
    </message>
    <message>
        <source>{place}: {reason}</source>
        <translation>{place}：{reason}</translation>
    </message>
    <message>
        <source>A calm man&apos;s voice.</source>
        <translation>沉静的男声。</translation>
    </message>
    <message>
        <source>English only; quick enough for a Raspberry Pi.</source>
        <translation>只懂英语；在树莓派上也够快。</translation>
    </message>
    <message>
        <source>Finds texts by their meaning, thousands a second.</source>
        <translation>按意思查找文字，每秒数千条。</translation>
    </message>
    <message>
        <source>For machines of 2 to 4 GB; many languages and tools.</source>
        <translation>适合 2 到 4 GB 内存；会多种语言，能用工具。</translation>
    </message>
    <message>
        <source>For machines of 4 to 8 GB with four cores or more.</source>
        <translation>适合 4 到 8 GB 内存、四核以上。</translation>
    </message>
    <message>
        <source>For machines of 4 to 8 GB; quick for its cleverness.</source>
        <translation>适合 4 到 8 GB 内存；聪明而不慢。</translation>
    </message>
    <message>
        <source>For machines of 8 GB and more with six cores or more.</source>
        <translation>适合 8 GB 以上内存、六核以上。</translation>
    </message>
    <message>
        <source>Hears better than base, at about three times the work.</source>
        <translation>比 base 听得更准，工作量约三倍。</translation>
    </message>
    <message>
        <source>Hears most languages; the one to have on a PC.</source>
        <translation>听得懂大多数语言；电脑上的首选。</translation>
    </message>
    <message>
        <source>Hears whether a sentence sounds finished.</source>
        <translation>听出一句话是否说完。</translation>
    </message>
    <message>
        <source>Made for code; small, and can use tools.</source>
        <translation>为代码而生；小巧，能用工具。</translation>
    </message>
    <message>
        <source>Small talk in English on any machine; cannot use tools.</source>
        <translation>任何电脑都能用英语闲聊；不能用工具。</translation>
    </message>
    <message>
        <source>. </source>
        <translation>。</translation>
    </message>
</context>
<context>
    <name>EntityCard</name>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Also known as {names}.</source>
        <translation>也叫{names}。</translation>
    </message>
    <message>
        <source>Part it from “{name}” again</source>
        <translation>与“{name}”重新分开</translation>
    </message>
    <message>
        <source>More about this</source>
        <translation>更多操作</translation>
    </message>
    <message>
        <source>Close the card</source>
        <translation>关闭卡片</translation>
    </message>
    <message>
        <source>Show the surroundings</source>
        <translation>显示周围</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>改名…</translation>
    </message>
    <message>
        <source>This is the same as…</source>
        <translation>这与……是同一个</translation>
    </message>
    <message>
        <source>Forget everything about this</source>
        <translation>忘记与此有关的一切</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>再显示 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Everything</name>
    <message>
        <source>All settings, one by one. Most people never need them.</source>
        <translation>逐项列出全部设置。大多数人用不到。</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>Try another word.</source>
        <translation>换个词试试。</translation>
    </message>
</context>
<context>
    <name>Fact</name>
    <message>
        <source>You corrected this on {day}.</source>
        <translation>您在{day}更正过。</translation>
    </message>
    <message>
        <source>You told me on {day}.</source>
        <translation>您在{day}告诉我的。</translation>
    </message>
    <message>
        <source>The plugin {who} told me on {day}.</source>
        <translation>插件{who}在{day}告诉我的。</translation>
    </message>
    <message>
        <source>{who} told me on {day}.</source>
        <translation>{who}在{day}告诉我的。</translation>
    </message>
    <message>
        <source>This held until {day}.</source>
        <translation>有效至{day}。</translation>
    </message>
    <message>
        <source>I am not sure of it.</source>
        <translation>我不太确定。</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day} {time}</translation>
    </message>
</context>
<context>
    <name>FactEditor</name>
    <message>
        <source>Who</source>
        <translation>谁</translation>
    </message>
    <message>
        <source>What</source>
        <translation>什么</translation>
    </message>
    <message>
        <source>Whom or what</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>FactRow</name>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pinned: always within reach. Click to unpin.</source>
        <translation>已固定：随时可用。点击取消固定。</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>更正</translation>
    </message>
    <message>
        <source>{action}: {sentence}</source>
        <translation>{action}：{sentence}</translation>
    </message>
</context>
<context>
    <name>FactsModel</name>
    <message>
        <source>What I know</source>
        <translation>我所知道的</translation>
    </message>
    <message>
        <source>From whom, and when</source>
        <translation>来自谁，何时</translation>
    </message>
</context>
<context>
    <name>FactsTable</name>
    <message>
        <source>What is remembered, as a list</source>
        <translation>记忆列表</translation>
    </message>
    <message>
        <source>Nothing fits</source>
        <translation>没有符合的内容</translation>
    </message>
    <message>
        <source>Try another word, or empty the field.</source>
        <translation>换个词试试，或清空输入框。</translation>
    </message>
</context>
<context>
    <name>FoldersCard</name>
    <message>
        <source>I search the texts, web pages, PDF and Word files in them. Nothing in them is ever changed.</source>
        <translation>我会搜索其中的文本、网页、PDF 和 Word 文件，从不改动里面的任何内容。</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>No folder yet.</source>
        <translation>还没有文件夹。</translation>
    </message>
    <message>
        <source>Reading your documents</source>
        <translation>正在阅读您的文档</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Look again now</source>
        <translation>现在重新查看</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Type a question</source>
        <translation>输入问题</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Speak answers again</source>
        <translation>恢复朗读回答</translation>
    </message>
    <message>
        <source>Pause speaking</source>
        <translation>暂停朗读</translation>
    </message>
</context>
<context>
    <name>GeneralSection</name>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>Start when I log in</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>I wait quietly in the tray.</source>
        <translation>我会在托盘里安静等候。</translation>
    </message>
    <message>
        <source>Our conversation</source>
        <translation>我们的对话</translation>
    </message>
</context>
<context>
    <name>Head</name>
    <message>
        <source>Companion</source>
        <translation>语音伙伴</translation>
    </message>
    <message>
        <source>Mute the microphone</source>
        <translation>关闭麦克风</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>{state}. {reason}</source>
        <translation>{state}。{reason}</translation>
    </message>
    <message>
        <source>Unmute the microphone</source>
        <translation>打开麦克风</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>First steps</source>
        <translation>初次设置</translation>
    </message>
    <message>
        <source>Restart the companion</source>
        <translation>重新启动语音伙伴</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Waiting for the end of your sentence</source>
        <translation>等您把话说完</translation>
    </message>
    <message>
        <source>Writing down what you said</source>
        <translation>写下您说的话</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Making the voice</source>
        <translation>合成声音</translation>
    </message>
    <message>
        <source>Microphone</source>
        <translation>麦克风</translation>
    </message>
    <message>
        <source>Loudspeaker</source>
        <translation>扬声器</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>Wake word</source>
        <translation>唤醒词</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Hearing</source>
        <translation>听</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Personality</source>
        <translation>个性</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>云端</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Knowledge</source>
        <translation>知识</translation>
    </message>
    <message>
        <source>Plugins</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>Timers</source>
        <translation>计时器</translation>
    </message>
    <message>
        <source>Talk key</source>
        <translation>通话键</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{count} GB</source>
        <translation>{count} GB</translation>
    </message>
    <message>
        <source>{count} MB</source>
        <translation>{count} MB</translation>
    </message>
    <message>
        <source>{share} %</source>
        <translation>{share}%</translation>
    </message>
</context>
<context>
    <name>HealthPage</name>
    <message>
        <source>How quickly I answer</source>
        <translation>我回答得有多快</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>If somebody is to help you</source>
        <translation>需要别人帮忙时</translation>
    </message>
    <message>
        <source>A file that tells how this computer and I are doing, without anything that was said.</source>
        <translation>一个说明这台电脑和我状况的文件，不含任何说过的话。</translation>
    </message>
    <message>
        <source>Make a diagnostics bundle</source>
        <translation>生成诊断文件</translation>
    </message>
</context>
<context>
    <name>HelloStep</name>
    <message>
        <source>Hello.</source>
        <translation>您好。</translation>
    </message>
    <message>
        <source>I am your companion. I live on this computer, listen when you call me, and keep what I hear here. A few steps, and we can talk. You can stop at any time and go on later.</source>
        <translation>我是您的语音伙伴。我住在这台电脑里，您叫我时我就听，听到的都留在这里。几步之后我们就能说话。您随时可以停下，以后再继续。</translation>
    </message>
    <message>
        <source>The language you speak with me</source>
        <translation>您和我说话用的语言</translation>
    </message>
    <message>
        <source>As you like</source>
        <translation>随您喜欢</translation>
    </message>
    <message>
        <source>What may I call you?</source>
        <translation>我可以怎么称呼您？</translation>
    </message>
    <message>
        <source>You may leave this empty.</source>
        <translation>可以留空。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Talking</source>
        <translation>说话</translation>
    </message>
    <message>
        <source>Say the wake word, wait for the sound, and speak. Speak over an answer to stop it.</source>
        <translation>说出唤醒词，听到提示音后再说话。想打断回答，直接开口就行。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Keys of your desktop can run: companion toggle, companion mute, companion talk.</source>
        <translation>可以在桌面的快捷键设置里运行：companion toggle、companion mute、companion talk。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>At home</source>
        <translation>家中</translation>
    </message>
    <message>
        <source>{name} is cancelled.</source>
        <translation>已取消：{name}。</translation>
    </message>
</context>
<context>
    <name>KnowledgePage</name>
    <message>
        <source>Your own documents and notes. I look into them when you ask about something in them.</source>
        <translation>您自己的文档和笔记。您问到其中的内容时，我会去查。</translation>
    </message>
    <message>
        <source>Knowledge</source>
        <translation>知识</translation>
    </message>
    <message>
        <source>Which folder shall I search?</source>
        <translation>要我搜索哪个文件夹？</translation>
    </message>
    <message>
        <source>{folder} is not searched any more.</source>
        <translation>不再搜索 {folder}。</translation>
    </message>
    <message>
        <source>A new note</source>
        <translation>新笔记</translation>
    </message>
    <message>
        <source>The note {name} is removed.</source>
        <translation>笔记{name}已移除。</translation>
    </message>
</context>
<context>
    <name>Latency</name>
    <message numerus="yes">
        <source>Half of the last %n answer(s) began within {half}, nine of ten within {most}.</source>
        <translation>
            <numerusform>最近 %n 次回答中，一半在 {half} 内开始，九成在 {most} 内开始。</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was answered yet. Ask something, then look again.</source>
        <translation>还没有回答过。请问点什么，然后再来看。</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>{step}, mostly {seconds}</source>
        <translation>{step}，通常 {seconds}</translation>
    </message>
    <message>
        <source>Somebody</source>
        <translation>人</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>地点</translation>
    </message>
    <message>
        <source>Thing</source>
        <translation>事物</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>LevelMeter</name>
    <message>
        <source>Loudness at the microphone</source>
        <translation>麦克风处的响度</translation>
    </message>
    <message>
        <source>{share} percent</source>
        <translation>百分之 {share}</translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message>
        <source>I don&apos;t remember anything yet</source>
        <translation>我还没有任何记忆</translation>
    </message>
    <message>
        <source>Talk with me, or write something on the right. What I learn appears here, with who told me and when.</source>
        <translation>和我聊聊，或在右边写点什么。我学到的会出现在这里，并注明是谁在何时告诉我的。</translation>
    </message>
    <message>
        <source>My memory cannot be seen</source>
        <translation>暂时看不到我的记忆</translation>
    </message>
    <message>
        <source>What I know is safe. I can talk with you all the same.</source>
        <translation>我知道的内容是安全的，照样可以和您说话。</translation>
    </message>
    <message>
        <source>Open the settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>I&apos;ll remember that.</source>
        <translation>我记住了。</translation>
    </message>
    <message>
        <source>I knew that already.</source>
        <translation>这个我已经知道了。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Find a name</source>
        <translation>查找名称</translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Go to the nearest one in that direction</source>
        <translation>移到那个方向最近的一个</translation>
    </message>
    <message>
        <source>Shift and arrow keys</source>
        <translation>Shift 加方向键</translation>
    </message>
    <message>
        <source>Move the picture</source>
        <translation>移动图</translation>
    </message>
    <message>
        <source>Plus, minus</source>
        <translation>加号、减号</translation>
    </message>
    <message>
        <source>Larger, smaller</source>
        <translation>放大、缩小</translation>
    </message>
    <message>
        <source>Show the whole picture</source>
        <translation>显示整张图</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Show the surroundings of the chosen one</source>
        <translation>显示所选对象的周围</translation>
    </message>
</context>
<context>
    <name>MicrophoneCard</name>
    <message>
        <source>Microphone</source>
        <translation>麦克风</translation>
    </message>
    <message>
        <source>The one this computer uses</source>
        <translation>这台电脑默认的</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Record and play back</source>
        <translation>录音并回放</translation>
    </message>
    <message>
        <source>Say something: you will hear what I hear.</source>
        <translation>说点什么：您会听到我听到的。</translation>
    </message>
    <message>
        <source>The bar moves when you speak.</source>
        <translation>您说话时，横条会动。</translation>
    </message>
    <message>
        <source>That is how you sound.</source>
        <translation>这就是您的声音。</translation>
    </message>
    <message>
        <source>I am listening. Say something.</source>
        <translation>我在听。请说点什么。</translation>
    </message>
    <message>
        <source>I can&apos;t hear the microphone “{name}”.</source>
        <translation>我听不到麦克风“{name}”。</translation>
    </message>
    <message>
        <source>I will listen again when it is back. Or choose another one.</source>
        <translation>它恢复后我会继续听，您也可以换一个。</translation>
    </message>
    <message>
        <source>I am getting ready.</source>
        <translation>我正在准备。</translation>
    </message>
    <message>
        <source>I hear you well.</source>
        <translation>我听得很清楚。</translation>
    </message>
    <message>
        <source>I hear you, but low. Come closer, or raise the microphone in the system&apos;s settings.</source>
        <translation>我能听到，但声音小。请靠近些，或在系统设置里调高麦克风。</translation>
    </message>
    <message>
        <source>That is too loud for me. Move back a little, or lower the microphone.</source>
        <translation>对我来说太响了。请离远一点，或调低麦克风。</translation>
    </message>
    <message>
        <source>The microphone sends nothing at all. Switch it on, or choose another one.</source>
        <translation>麦克风完全没有声音。请打开它，或换一个。</translation>
    </message>
    <message>
        <source>I did not hear anybody. Did you speak? If so, choose another microphone.</source>
        <translation>我没听到有人说话。您说话了吗？说了的话，请换一个麦克风。</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>Use this one</source>
        <translation>使用这个</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>On its way</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Bring it ({size})</source>
        <translation>下载（{size}）</translation>
    </message>
    <message>
        <source>I am reading all of it.</source>
        <translation>我正在完整读取。</translation>
    </message>
    <message>
        <source>Every byte is as it should be.</source>
        <translation>每个字节都正确。</translation>
    </message>
    <message>
        <source>{size} · {languages} · {fit}</source>
        <translation>{size} · {languages} · {fit}</translation>
    </message>
    <message>
        <source>In use · {about}</source>
        <translation>使用中 · {about}</translation>
    </message>
    <message>
        <source>Here · {about}</source>
        <translation>已有 · {about}</translation>
    </message>
    <message numerus="yes">
        <source>%n language(s)</source>
        <translation>
            <numerusform>%n 种语言</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>fits this computer best</source>
        <translation>最适合这台电脑</translation>
    </message>
    <message>
        <source>fits this computer</source>
        <translation>适合这台电脑</translation>
    </message>
    <message>
        <source>slow on this computer</source>
        <translation>在这台电脑上较慢</translation>
    </message>
    <message>
        <source>too large for this computer</source>
        <translation>对这台电脑太大</translation>
    </message>
    <message>
        <source>Another one is first</source>
        <translation>正在等另一个完成</translation>
    </message>
    <message>
        <source>Coming</source>
        <translation>正在下载</translation>
    </message>
    <message>
        <source>Unpacking</source>
        <translation>正在解压</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
</context>
<context>
    <name>ModelsSection</name>
    <message>
        <source>Bring what is missing</source>
        <translation>下载缺少的</translation>
    </message>
    <message>
        <source>From a folder or a stick</source>
        <translation>从文件夹或 U 盘导入</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重新启动</translation>
    </message>
    <message>
        <source>This computer has {memory} of memory and {cores} cores; {free} are free on its disk.</source>
        <translation>这台电脑有 {memory} 内存和 {cores} 个核心；磁盘还剩 {free}。</translation>
    </message>
    <message>
        <source>They are kept in {folder}.</source>
        <translation>它们保存在 {folder}。</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s) to begin with are missing: {size}.</source>
        <translation>
            <numerusform>还缺 %n 个起步模型：{size}。</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything to begin with is here.</source>
        <translation>起步需要的都有了。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>New here: {models}. Used after a restart.</source>
        <translation>新到的：{models}。重新启动后使用。</translation>
    </message>
    <message>
        <source>A restart takes about a second. What is on its way goes on.</source>
        <translation>重新启动约需一秒，正在下载的会继续。</translation>
    </message>
    <message>
        <source>Let me choose by what fits</source>
        <translation>由我选合适的</translation>
    </message>
    <message>
        <source>{kind}: let me choose by what fits</source>
        <translation>{kind}：由我选合适的</translation>
    </message>
    <message>
        <source>Listening</source>
        <translation>聆听</translation>
    </message>
    <message>
        <source>Writes down what you say.</source>
        <translation>写下您说的话。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Answers what no talent can.</source>
        <translation>回答技能答不了的问题。</translation>
    </message>
    <message>
        <source>Speaking</source>
        <translation>说话</translation>
    </message>
    <message>
        <source>Says my answers.</source>
        <translation>说出我的回答。</translation>
    </message>
    <message>
        <source>Taking turns</source>
        <translation>轮流说话</translation>
    </message>
    <message>
        <source>Hears whether you have finished.</source>
        <translation>听出您是否说完。</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Finds memories and documents by their meaning.</source>
        <translation>按意思查找记忆和文档。</translation>
    </message>
    <message>
        <source>Where are the models?</source>
        <translation>模型在哪里？</translation>
    </message>
</context>
<context>
    <name>NameDialog</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>NoteEditor</name>
    <message>
        <source>Name, as “boiler”</source>
        <translation>名称，如“锅炉”</translation>
    </message>
    <message>
        <source>Name of the note</source>
        <translation>笔记的名称</translation>
    </message>
    <message>
        <source>What I should know</source>
        <translation>我应该知道的内容</translation>
    </message>
    <message>
        <source>Text of the note</source>
        <translation>笔记的内容</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message numerus="yes">
        <source>A note has at most %n characters.</source>
        <translation>
            <numerusform>一篇笔记最多 %n 个字符。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotesCard</name>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>What you wrote down for me, or asked me to keep.</source>
        <translation>您为我写下的，或让我保存的内容。</translation>
    </message>
    <message>
        <source>No note yet.</source>
        <translation>还没有笔记。</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>写笔记</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more</source>
        <translation>
            <numerusform>再显示 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Open this note</source>
        <translation>打开这篇笔记</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除{name}</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Put away</source>
        <translation>收起</translation>
    </message>
</context>
<context>
    <name>Orb</name>
    <message>
        <source>Talk</source>
        <translation>说话</translation>
    </message>
    <message>
        <source>{state}. Click to talk, or hold while you speak.</source>
        <translation>{state}。点击开始说话，或按住说话。</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>My sister is called Emma</source>
        <translation>我妹妹叫小红</translation>
    </message>
    <message>
        <source>Something to remember</source>
        <translation>要记住的事</translation>
    </message>
    <message>
        <source>What I remember</source>
        <translation>我的记忆</translation>
    </message>
    <message>
        <source>Choose a shape in the picture to see what I know, and who told me.</source>
        <translation>在图中选一个图形，就能看到我知道什么、是谁告诉我的。</translation>
    </message>
    <message numerus="yes">
        <source>%n fact(s)</source>
        <translation>
            <numerusform>%n 条事实</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n name(s)</source>
        <translation>
            <numerusform>%n 个名称</numerusform>
        </translation>
    </message>
    <message>
        <source>{facts} about {names}.</source>
        <translation>关于 {names}的 {facts}。</translation>
    </message>
    <message>
        <source>Remember</source>
        <translation>记住</translation>
    </message>
    <message>
        <source>Two that may be the same</source>
        <translation>可能是同一个</translation>
    </message>
    <message>
        <source>Are “{one}” and “{other}” the same?</source>
        <translation>“{one}”和“{other}”是同一个吗？</translation>
    </message>
    <message>
        <source>Yes, join them</source>
        <translation>是，合并</translation>
    </message>
    <message>
        <source>No</source>
        <translation>不是</translation>
    </message>
</context>
<context>
    <name>PersonalitySection</name>
    <message>
        <source>How I speak and what matters to me. A change counts from your next question.</source>
        <translation>我怎么说话、看重什么。改动从您的下一个问题起生效。</translation>
    </message>
    <message>
        <source>Your own text</source>
        <translation>您自己的文字</translation>
    </message>
    <message>
        <source>Write it as you would to a person: who I am, how I talk.</source>
        <translation>像写给一个人那样写：我是谁，怎么说话。</translation>
    </message>
    <message>
        <source>Keep this text</source>
        <translation>保存这段文字</translation>
    </message>
    <message>
        <source>Back to what is kept</source>
        <translation>恢复已保存的</translation>
    </message>
    <message>
        <source>Begin with the chosen one</source>
        <translation>从所选的开始写</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试试</translation>
    </message>
    <message>
        <source>Nothing of this is kept in our conversation.</source>
        <translation>这些不会留在我们的对话里。</translation>
    </message>
    <message>
        <source>What shall I cook tonight?</source>
        <translation>今晚做什么菜好？</translation>
    </message>
    <message>
        <source>Ask me</source>
        <translation>问我</translation>
    </message>
    <message>
        <source>Answer as the chosen one</source>
        <translation>按所选的个性回答</translation>
    </message>
    <message>
        <source>Say it</source>
        <translation>说出来</translation>
    </message>
    <message>
        <source>To try it, bring a language model first: see Models.</source>
        <translation>要试用，请先下载语言模型：见“模型”。</translation>
    </message>
    <message>
        <source>Kept. It counts from your next question.</source>
        <translation>已保存，从您的下一个问题起生效。</translation>
    </message>
    <message>
        <source>Kept. Choose “{name}” above to have it count.</source>
        <translation>已保存。在上面选择“{name}”即可生效。</translation>
    </message>
    <message>
        <source>I am thinking.</source>
        <translation>我正在想。</translation>
    </message>
    <message>
        <source>I had nothing to say to that.</source>
        <translation>对此我没什么可说的。</translation>
    </message>
</context>
<context>
    <name>PersonalityStep</name>
    <message>
        <source>What kind of companion?</source>
        <translation>什么样的伙伴？</translation>
    </message>
    <message>
        <source>Choose how I talk. You can change it, and write it in your own words, in the settings.</source>
        <translation>选择我的说话方式。以后可以在设置里更改，或用您自己的话来写。</translation>
    </message>
    <message>
        <source>How I talk</source>
        <translation>我的说话方式</translation>
    </message>
    <message>
        <source>Calm and clear</source>
        <translation>沉静清晰</translation>
    </message>
    <message>
        <source>Warm and patient</source>
        <translation>温暖耐心</translation>
    </message>
    <message>
        <source>Cheerful, with dry wit</source>
        <translation>开朗，带点冷幽默</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>“{words}”</source>
        <translation>“{words}”</translation>
    </message>
    <message>
        <source>Play: {title}</source>
        <translation>播放：{title}</translation>
    </message>
    <message>
        <source>Good morning. It is raining, so take your time. Shall I tell you what the day holds?</source>
        <translation>早上好。外面在下雨，慢慢来就好。要我说说今天的安排吗？</translation>
    </message>
    <message>
        <source>Good morning. It is raining: fine weather for ducks, and for a second cup of coffee.</source>
        <translation>早上好。下雨了，鸭子最喜欢的天气，也正适合再来一杯咖啡。</translation>
    </message>
    <message>
        <source>Good morning. It is raining, and you have nothing planned before ten.</source>
        <translation>早上好。外面在下雨，您十点前没有安排。</translation>
    </message>
    <message>
        <source>A moment.</source>
        <translation>请稍等。</translation>
    </message>
    <message>
        <source>I cannot say it yet: {reason}</source>
        <translation>我还不能说：{reason}</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>Talk</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Knowledge</source>
        <translation>知识</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>家中</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>PluginCard</name>
    <message>
        <source>It is a program that runs with your rights. It asks for:</source>
        <translation>它是一个以您的权限运行的程序。它要求：</translation>
    </message>
    <message>
        <source>What it may</source>
        <translation>它可以做的事</translation>
    </message>
    <message>
        <source>Turn it on</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Leave it off</source>
        <translation>保持关闭</translation>
    </message>
    <message>
        <source>Change what it may</source>
        <translation>更改权限</translation>
    </message>
    <message>
        <source>It does not say what it does.</source>
        <translation>它没有说明自己的用途。</translation>
    </message>
    <message>
        <source>{what} Version {version}.</source>
        <translation>{what} 版本 {version}。</translation>
    </message>
    <message>
        <source>It may: {what}.</source>
        <translation>它可以：{what}。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>It kept failing, so I leave it alone for a while.</source>
        <translation>它一直出错，我先不理它一会儿。</translation>
    </message>
    <message>
        <source>It works.</source>
        <translation>正常。</translation>
    </message>
    <message>
        <source>It is off.</source>
        <translation>已关闭。</translation>
    </message>
    <message>
        <source>It could not be loaded. {reason}</source>
        <translation>无法加载。{reason}</translation>
    </message>
    <message>
        <source>Its settings are wrong. {reason}</source>
        <translation>它的设置有误。{reason}</translation>
    </message>
    <message>
        <source>It cannot work now. {reason}</source>
        <translation>现在不能工作。{reason}</translation>
    </message>
    <message>
        <source>reach other computers</source>
        <translation>连接其他电脑</translation>
    </message>
    <message>
        <source>keep files in a folder of its own</source>
        <translation>在自己的文件夹里保存文件</translation>
    </message>
    <message>
        <source>see what I remember and know</source>
        <translation>查看我的记忆和知识</translation>
    </message>
    <message>
        <source>have me remember things</source>
        <translation>让我记住事情</translation>
    </message>
    <message>
        <source>speak by itself</source>
        <translation>主动说话</translation>
    </message>
    <message>
        <source>Let it do this</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Leave it as it is</source>
        <translation>保持原样</translation>
    </message>
</context>
<context>
    <name>PluginsSection</name>
    <message>
        <source>Check all of them</source>
        <translation>全部检查</translation>
    </message>
    <message>
        <source>No plugins of others yet</source>
        <translation>还没有他人的插件</translation>
    </message>
    <message>
        <source>A plugin is a program that runs with your rights. Put its folder among your plugins to see it here.</source>
        <translation>插件是以您的权限运行的程序。把它的文件夹放进插件目录，就会显示在这里。</translation>
    </message>
    <message>
        <source>Talents that came with me</source>
        <translation>自带的技能</translation>
    </message>
    <message>
        <source>{name}: {reason}</source>
        <translation>{name}：{reason}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>PrivacySection</name>
    <message>
        <source>Asking providers</source>
        <translation>使用服务商</translation>
    </message>
    <message>
        <source>Kept on this computer</source>
        <translation>保存在这台电脑上</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Since I started, {size} went to {hosts}.</source>
        <translation>启动以来，有 {size} 发送到 {hosts}。</translation>
    </message>
    <message>
        <source>Since I started, nothing has left this computer.</source>
        <translation>启动以来，没有任何内容离开这台电脑。</translation>
    </message>
    <message>
        <source>Keys of providers</source>
        <translation>服务商的密钥</translation>
    </message>
    <message>
        <source>A key is kept in the keyring of this computer, and is shown to nobody but its provider.</source>
        <translation>密钥保存在这台电脑的密钥环里，只给对应的服务商看。</translation>
    </message>
    <message>
        <source>Show all providers</source>
        <translation>显示所有服务商</translation>
    </message>
    <message>
        <source>What it may cost</source>
        <translation>费用上限</translation>
    </message>
    <message>
        <source>Prices and all the rest</source>
        <translation>价格和其他</translation>
    </message>
    <message>
        <source>This month: {spent} of {budget}.</source>
        <translation>本月：{spent}，上限 {budget}。</translation>
    </message>
    <message>
        <source>May leave this computer: {what}. Everything else stays here.</source>
        <translation>可能离开这台电脑的：{what}。其他都留在这里。</translation>
    </message>
    <message>
        <source>Everything stays on this computer. I need no internet.</source>
        <translation>一切都留在这台电脑上，我不需要互联网。</translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>少显示一些</translation>
    </message>
</context>
<context>
    <name>PrivacyStep</name>
    <message>
        <source>What you say stays here.</source>
        <translation>您说的话都留在这里。</translation>
    </message>
    <message>
        <source>I listen, think and speak on this computer. No sound is ever written to the disk.</source>
        <translation>我在这台电脑上听、想、说。声音从不写入磁盘。</translation>
    </message>
    <message>
        <source>The cloud is off</source>
        <translation>云端已关闭</translation>
    </message>
    <message>
        <source>Nothing leaves this computer.</source>
        <translation>没有任何内容离开这台电脑。</translation>
    </message>
    <message>
        <source>If you turn a provider on in the settings, what you say to me, and what I remember of it, goes to that provider, and it is shown each time.</source>
        <translation>如果您在设置里启用服务商，您对我说的话和我的相关记忆会发送给它，每次都会显示出来。</translation>
    </message>
    <message>
        <source>Remember what I tell you</source>
        <translation>记住我告诉你的事</translation>
    </message>
    <message>
        <source>Facts such as names and birthdays, kept here. You can look at them and remove any.</source>
        <translation>例如姓名和生日，保存在这里。您可以查看，也可以删除任何一条。</translation>
    </message>
    <message>
        <source>Start with the session</source>
        <translation>登录时启动</translation>
    </message>
    <message>
        <source>I am there when you log in, in the corner of the screen.</source>
        <translation>您登录后，我就在屏幕一角。</translation>
    </message>
    <message>
        <source>You have turned a provider on.</source>
        <translation>您启用了一个服务商。</translation>
    </message>
</context>
<context>
    <name>Problems</name>
    <message>
        <source>How I am</source>
        <translation>我的状况</translation>
    </message>
    <message>
        <source>Look at everything</source>
        <translation>全面检查</translation>
    </message>
    <message>
        <source>Looking at everything</source>
        <translation>正在全面检查</translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) looked at, and nothing is wrong.</source>
        <translation>
            <numerusform>检查了 %n 项，一切正常。</numerusform>
        </translation>
    </message>
    <message>
        <source>Mend it</source>
        <translation>去解决</translation>
    </message>
    <message>
        <source>{topic}: {message}</source>
        <translation>{topic}：{message}</translation>
    </message>
</context>
<context>
    <name>ProgressRow</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>{note}, {left}</source>
        <translation>{note}，{left}</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>还剩不到一分钟</translation>
    </message>
    <message numerus="yes">
        <source>about %n minute(s) left</source>
        <translation>
            <numerusform>还剩约 %n 分钟</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProviderRow</name>
    <message>
        <source>Enter a key</source>
        <translation>输入密钥</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Forget the key</source>
        <translation>删除密钥</translation>
    </message>
    <message>
        <source>Key of {provider}</source>
        <translation>{provider} 的密钥</translation>
    </message>
    <message>
        <source>Enter another key</source>
        <translation>换一个密钥</translation>
    </message>
    <message>
        <source>Runs on this computer ({host}); nothing leaves.</source>
        <translation>在这台电脑上运行（{host}），不外发。</translation>
    </message>
    <message>
        <source>The key is kept. What I send goes to {host}.</source>
        <translation>密钥已保存。内容会发送到 {host}。</translation>
    </message>
    <message>
        <source>The key comes from {variable}. What I send goes to {host}.</source>
        <translation>密钥来自 {variable}。内容会发送到 {host}。</translation>
    </message>
    <message>
        <source>No key. What I send would go to {host}.</source>
        <translation>没有密钥。内容会发送到 {host}。</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Places</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>Recall</name>
    <message>
        <source>You asked for it.</source>
        <translation>这是您问到的。</translation>
    </message>
    <message>
        <source>It is about you.</source>
        <translation>这与您有关。</translation>
    </message>
    <message>
        <source>It is about “{name}”.</source>
        <translation>这与“{name}”有关。</translation>
    </message>
    <message>
        <source>It ties “{one}” and “{other}”.</source>
        <translation>它把“{one}”和“{other}”联系起来。</translation>
    </message>
    <message>
        <source>It lies near what you asked.</source>
        <translation>它与您的问题相近。</translation>
    </message>
    <message>
        <source>It has words of your question: {words}.</source>
        <translation>其中有您问题里的词：{words}。</translation>
    </message>
    <message>
        <source>It has words of your question.</source>
        <translation>其中有您问题里的词。</translation>
    </message>
    <message>
        <source>It is from the days you asked about.</source>
        <translation>它来自您问到的那些日子。</translation>
    </message>
    <message>
        <source>You had said it.</source>
        <translation>这是您说过的。</translation>
    </message>
    <message>
        <source>You asked for who had said it.</source>
        <translation>您问到了是谁说的。</translation>
    </message>
    <message>
        <source>You told me on {day}.</source>
        <translation>您在{day}告诉我的。</translation>
    </message>
    <message>
        <source>You told me.</source>
        <translation>是您告诉我的。</translation>
    </message>
    <message>
        <source>I said it on {day}.</source>
        <translation>我在{day}说的。</translation>
    </message>
    <message>
        <source>I said it.</source>
        <translation>是我说的。</translation>
    </message>
    <message>
        <source>From: {source}.</source>
        <translation>来自：{source}。</translation>
    </message>
</context>
<context>
    <name>Refusal</name>
    <message>
        <source>The companion cannot start</source>
        <translation>语音伙伴无法启动</translation>
    </message>
</context>
<context>
    <name>Remark</name>
    <message>
        <source>interrupted</source>
        <translation>被打断</translation>
    </message>
    <message>
        <source>by rule</source>
        <translation>按规则</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>在这台电脑上</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>you liked it</source>
        <translation>您觉得好</translation>
    </message>
    <message>
        <source>you did not like it</source>
        <translation>您觉得不好</translation>
    </message>
    <message>
        <source>you said it was wrong</source>
        <translation>您说它错了</translation>
    </message>
</context>
<context>
    <name>RestartBar</name>
    <message>
        <source>Restart now</source>
        <translation>立即重新启动</translation>
    </message>
    <message>
        <source>A restart takes about a second. The window stays.</source>
        <translation>重新启动约需一秒，窗口会保留。</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) count after a restart.</source>
        <translation>
            <numerusform>%n 处改动在重新启动后生效。</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Counts after a restart: {names}.</source>
        <translation>重新启动后生效：{names}。</translation>
    </message>
</context>
<context>
    <name>SetCard</name>
    <message>
        <source>Set now</source>
        <translation>已设定</translation>
    </message>
    <message>
        <source>Nothing is set. Say “set a timer for ten minutes”, or set one below.</source>
        <translation>还没有设定。说“设一个十分钟的计时器”，或者在下面设定。</translation>
    </message>
</context>
<context>
    <name>Setter</name>
    <message>
        <source>Set something</source>
        <translation>新的设定</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>设定</translation>
    </message>
    <message>
        <source>Timer</source>
        <translation>计时器</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>闹钟</translation>
    </message>
    <message>
        <source>Reminder</source>
        <translation>提醒</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>Tea, laundry …</source>
        <translation>泡茶、洗衣……</translation>
    </message>
    <message>
        <source>How long</source>
        <translation>多久</translation>
    </message>
    <message>
        <source>What for</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>May stay empty.</source>
        <translation>可以不填。</translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n 分钟</numerusform>
        </translation>
    </message>
    <message>
        <source>Work, train …</source>
        <translation>上班、坐火车……</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Call Emma</source>
        <translation>给小明打电话</translation>
    </message>
    <message>
        <source>Of what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>ddd d MMM, HH:mm</source>
        <translation>M月d日 ddd HH:mm</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Back to that</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>{name}: back to what is usual</source>
        <translation>{name}：恢复默认</translation>
    </message>
    <message>
        <source>Usually: {value}.</source>
        <translation>默认：{value}。</translation>
    </message>
    <message>
        <source>Usually: {value}. Counts after a restart.</source>
        <translation>默认：{value}。重新启动后生效。</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Whichever I hear</source>
        <translation>听到什么用什么</translation>
    </message>
    <message>
        <source>Yours</source>
        <translation>您的</translation>
    </message>
    <message>
        <source>Calm</source>
        <translation>沉静</translation>
    </message>
    <message>
        <source>Brief</source>
        <translation>简洁</translation>
    </message>
    <message>
        <source>Warm</source>
        <translation>温暖</translation>
    </message>
    <message>
        <source>Playful</source>
        <translation>活泼</translation>
    </message>
    <message>
        <source>Warm and calm, in one to three short sentences.</source>
        <translation>温和平静，说一到三个短句。</translation>
    </message>
    <message>
        <source>One short sentence, and no small talk.</source>
        <translation>只说一个短句，不闲聊。</translation>
    </message>
    <message>
        <source>Like a good friend of the family: kind, patient, interested in you.</source>
        <translation>像家里的好朋友：亲切、耐心、关心您。</translation>
    </message>
    <message>
        <source>Cheerful, with dry wit; plain and quick when you are worried.</source>
        <translation>开朗，带点冷幽默；您着急时，直接又利落。</translation>
    </message>
    <message>
        <source>Only this computer</source>
        <translation>只用这台电脑</translation>
    </message>
    <message>
        <source>This computer, else the provider</source>
        <translation>先用这台电脑，不行再用服务商</translation>
    </message>
    <message>
        <source>The provider, else this computer</source>
        <translation>先用服务商，不行再用这台电脑</translation>
    </message>
    <message>
        <source>As it fits</source>
        <translation>视情况而定</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>总是</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>发生的事</translation>
    </message>
    <message>
        <source>What is strange</source>
        <translation>异常情况</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>出错情况</translation>
    </message>
    <message>
        <source>You and the companion</source>
        <translation>您和我</translation>
    </message>
    <message>
        <source>Microphone and loudspeaker</source>
        <translation>麦克风和扬声器</translation>
    </message>
    <message>
        <source>Being called</source>
        <translation>呼唤</translation>
    </message>
    <message>
        <source>Taking turns</source>
        <translation>轮流说话</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Providers on the internet</source>
        <translation>互联网上的服务商</translation>
    </message>
    <message>
        <source>The conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Knowledge</source>
        <translation>知识</translation>
    </message>
    <message>
        <source>Plugins</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>Personality</source>
        <translation>个性</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>桌面</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language you speak with me.</source>
        <translation>您和我说话用的语言。</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>您的名字</translation>
    </message>
    <message>
        <source>What I may call you. Leave it empty if you would rather not say.</source>
        <translation>我可以怎么称呼您。不想说就留空。</translation>
    </message>
    <message>
        <source>Key to talk</source>
        <translation>通话键</translation>
    </message>
    <message>
        <source>Opens my ears wherever you are on the desktop, as ctrl+alt+space: hold it and talk, or tap it.</source>
        <translation>在桌面任何地方都能让我开始听，例如 ctrl+alt+space：按住说话，或轻按一下。</translation>
    </message>
    <message>
        <source>Who I am: your own text, or one that came with me.</source>
        <translation>我是谁：您自己写的，或自带的。</translation>
    </message>
    <message>
        <source>Microphone</source>
        <translation>麦克风</translation>
    </message>
    <message>
        <source>By name, or a part of it. Empty: the one this computer uses.</source>
        <translation>填写名称或其中一部分。留空：这台电脑默认的。</translation>
    </message>
    <message>
        <source>Loudspeaker</source>
        <translation>扬声器</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>音量</translation>
    </message>
    <message>
        <source>How loud I speak.</source>
        <translation>我说话的音量。</translation>
    </message>
    <message>
        <source>Take my own voice out</source>
        <translation>去掉我自己的声音</translation>
    </message>
    <message>
        <source>So that I do not hear myself, and you can interrupt me.</source>
        <translation>这样我不会听到自己，您也可以打断我。</translation>
    </message>
    <message>
        <source>Lower steady noise</source>
        <translation>降低持续噪声</translation>
    </message>
    <message>
        <source>A fan or a street is made quieter while somebody speaks.</source>
        <translation>有人说话时，把风扇声、街道声调小。</translation>
    </message>
    <message>
        <source>Microphone gain</source>
        <translation>麦克风增益</translation>
    </message>
    <message>
        <source>Makes a low microphone louder.</source>
        <translation>让声音小的麦克风更响。</translation>
    </message>
    <message>
        <source> dB</source>
        <translation> dB</translation>
    </message>
    <message>
        <source>Chimes</source>
        <translation>提示音</translation>
    </message>
    <message>
        <source>Short sounds: I heard you, I did not understand, something is wrong.</source>
        <translation>短促的声音：听到了、没听懂、出问题了。</translation>
    </message>
    <message>
        <source>Name to call</source>
        <translation>呼唤的名字</translation>
    </message>
    <message>
        <source>Say it before you ask me something.</source>
        <translation>问我之前先说它。</translation>
    </message>
    <message>
        <source>How sure I must be of it</source>
        <translation>需要多确定</translation>
    </message>
    <message>
        <source>Lower: I hear the name more easily, and more often by mistake.</source>
        <translation>越低，越容易听到名字，也越容易听错。</translation>
    </message>
    <message>
        <source>How sure the second look must be</source>
        <translation>第二次判断需要多确定</translation>
    </message>
    <message>
        <source>A second detector hears the name again. Nothing turns it off.</source>
        <translation>由第二个检测器再听一遍。设为零则关闭。</translation>
    </message>
    <message>
        <source>Listen without a name</source>
        <translation>不用叫名字就听</translation>
    </message>
    <message>
        <source>I answer whoever speaks, without being called.</source>
        <translation>不用叫我，谁说话我都回答。</translation>
    </message>
    <message>
        <source>Listen on after an answer</source>
        <translation>回答后继续听</translation>
    </message>
    <message>
        <source>So long you can go on without calling me again.</source>
        <translation>在这段时间里，不用再叫我就能接着说。</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Silence after a command</source>
        <translation>指令后的停顿</translation>
    </message>
    <message>
        <source>So short a silence ends a command that I understand whole.</source>
        <translation>听懂整条指令后，停顿这么久就算说完。</translation>
    </message>
    <message>
        <source>Silence after a whole sentence</source>
        <translation>整句后的停顿</translation>
    </message>
    <message>
        <source>So short a silence ends a sentence that sounds finished.</source>
        <translation>听起来说完的句子，停顿这么久就算说完。</translation>
    </message>
    <message>
        <source>Silence after anything else</source>
        <translation>其他情况的停顿</translation>
    </message>
    <message>
        <source>Where it is not clear whether you go on.</source>
        <translation>不清楚您是否还要说下去时。</translation>
    </message>
    <message>
        <source>Silence after half a sentence</source>
        <translation>半句后的停顿</translation>
    </message>
    <message>
        <source>So long I wait while you look for the next word.</source>
        <translation>您在想下一个词时，我会等这么久。</translation>
    </message>
    <message>
        <source>Sounds finished from</source>
        <translation>算说完的下限</translation>
    </message>
    <message>
        <source>The score above which a sentence counts as finished.</source>
        <translation>得分高于它的句子算说完了。</translation>
    </message>
    <message>
        <source>Sounds unfinished up to</source>
        <translation>算没说完的上限</translation>
    </message>
    <message>
        <source>The score below which a sentence counts as unfinished.</source>
        <translation>得分低于它的句子算没说完。</translation>
    </message>
    <message>
        <source>Longest question</source>
        <translation>最长的问题</translation>
    </message>
    <message>
        <source>After so long I answer what there is.</source>
        <translation>超过这么久，我就先回答已有的部分。</translation>
    </message>
    <message>
        <source>Let me be interrupted</source>
        <translation>允许打断</translation>
    </message>
    <message>
        <source>When you speak while I do, I stop and listen.</source>
        <translation>我说话时您开口，我就停下来听。</translation>
    </message>
    <message>
        <source>What listens</source>
        <translation>用来听的</translation>
    </message>
    <message>
        <source>The model that writes down what you say. auto: what fits this computer.</source>
        <translation>写下您所说的话的模型。auto：适合这台电脑的。</translation>
    </message>
    <message>
        <source>What answers</source>
        <translation>用来回答的</translation>
    </message>
    <message>
        <source>The model that thinks. auto: the best one that is here.</source>
        <translation>负责思考的模型。auto：现有最好的。</translation>
    </message>
    <message>
        <source>What speaks</source>
        <translation>用来说话的</translation>
    </message>
    <message>
        <source>The voice. auto: one for the language of the answer.</source>
        <translation>声音。auto：按回答的语言选用。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>How many a model may use at once. 0: all cores.</source>
        <translation>一个模型同时可用的数量。0：所有核心。</translation>
    </message>
    <message>
        <source>Give memory back after</source>
        <translation>释放内存的时间</translation>
    </message>
    <message>
        <source>A model that is unused so long leaves the memory. 0: it stays.</source>
        <translation>这么久不用的模型会离开内存。0：一直保留。</translation>
    </message>
    <message>
        <source>How much it keeps in mind</source>
        <translation>能记住多少上下文</translation>
    </message>
    <message>
        <source>Room for the conversation, in tokens. More needs more memory.</source>
        <translation>对话占用的空间，以词元计。越多越占内存。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长的回答</translation>
    </message>
    <message>
        <source>In tokens; a word is one or two.</source>
        <translation>以词元计；一个词约一到两个。</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Whether the model may look into memory and documents by itself.</source>
        <translation>模型是否可以自行查看记忆和文档。</translation>
    </message>
    <message>
        <source>How freely I word things</source>
        <translation>措辞的自由度</translation>
    </message>
    <message>
        <source>Low: plain and steady. High: more surprising.</source>
        <translation>低：平实稳定。高：更有新意。</translation>
    </message>
    <message>
        <source>How fast I speak</source>
        <translation>语速</translation>
    </message>
    <message>
        <source>1 is as the voice was recorded.</source>
        <translation>1 为录音时的速度。</translation>
    </message>
    <message>
        <source> ×</source>
        <translation> ×</translation>
    </message>
    <message>
        <source>Who writes down what you say</source>
        <translation>由谁写下您说的话</translation>
    </message>
    <message>
        <source>Only this computer, or a provider as well. Your voice would go there.</source>
        <translation>只用这台电脑，或也用服务商。您的声音会发送过去。</translation>
    </message>
    <message>
        <source>Who answers</source>
        <translation>由谁回答</translation>
    </message>
    <message>
        <source>Only this computer, or a provider as well. Your words would go there.</source>
        <translation>只用这台电脑，或也用服务商。您的话会发送过去。</translation>
    </message>
    <message>
        <source>Who speaks</source>
        <translation>由谁说话</translation>
    </message>
    <message>
        <source>Only this computer, or a provider as well. My answers would go there.</source>
        <translation>只用这台电脑，或也用服务商。我的回答会发送过去。</translation>
    </message>
    <message>
        <source>Provider that writes down</source>
        <translation>负责听写的服务商</translation>
    </message>
    <message>
        <source>With its model, as openai/gpt-4o-mini-transcribe.</source>
        <translation>连同模型，例如 openai/gpt-4o-mini-transcribe。</translation>
    </message>
    <message>
        <source>Provider that answers</source>
        <translation>负责回答的服务商</translation>
    </message>
    <message>
        <source>With its model, as openai/gpt-5-mini.</source>
        <translation>连同模型，例如 openai/gpt-5-mini。</translation>
    </message>
    <message>
        <source>Provider that speaks</source>
        <translation>负责说话的服务商</translation>
    </message>
    <message>
        <source>With its model, as openai/gpt-4o-mini-tts.</source>
        <translation>连同模型，例如 openai/gpt-4o-mini-tts。</translation>
    </message>
    <message>
        <source>Voice of the provider</source>
        <translation>服务商的声音</translation>
    </message>
    <message>
        <source>As the provider calls it.</source>
        <translation>按服务商的叫法。</translation>
    </message>
    <message>
        <source>Server of your own</source>
        <translation>自己的服务器</translation>
    </message>
    <message>
        <source>Its address, asked in place of the provider&apos;s. Empty: none.</source>
        <translation>它的地址，用来代替服务商的地址。留空：不用。</translation>
    </message>
    <message>
        <source>Too slow after</source>
        <translation>超过多久算太慢</translation>
    </message>
    <message>
        <source>Who has not begun to answer by then is not waited for.</source>
        <translation>到时还没开始回答的，就不再等。</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>For what leaves the house. Empty: that of the system.</source>
        <translation>用于外发的内容。留空：使用系统的。</translation>
    </message>
    <message>
        <source>Certificates</source>
        <translation>证书</translation>
    </message>
    <message>
        <source>A file with more of them to trust. Empty: none.</source>
        <translation>另外信任的证书文件。留空：无。</translation>
    </message>
    <message>
        <source>Most of one call</source>
        <translation>单次调用上限</translation>
    </message>
    <message>
        <source>Question and answer together, in tokens.</source>
        <translation>问题和回答合计，以词元计。</translation>
    </message>
    <message>
        <source>Most that a month may cost</source>
        <translation>每月费用上限</translation>
    </message>
    <message>
        <source>In the currency of the prices. Then only this computer answers. 0: nothing at all.</source>
        <translation>与价格同一货币。到上限后只由这台电脑回答。0：完全不花钱。</translation>
    </message>
    <message>
        <source>Price of reading</source>
        <translation>读取价格</translation>
    </message>
    <message>
        <source>Of a million tokens that the provider reads.</source>
        <translation>服务商每读取一百万词元的价格。</translation>
    </message>
    <message>
        <source>Price of writing</source>
        <translation>写出价格</translation>
    </message>
    <message>
        <source>Of a million tokens that the provider writes.</source>
        <translation>服务商每写出一百万词元的价格。</translation>
    </message>
    <message>
        <source>Price of listening</source>
        <translation>听写价格</translation>
    </message>
    <message>
        <source>Of a minute that is written down.</source>
        <translation>每听写一分钟的价格。</translation>
    </message>
    <message>
        <source>Price of speaking</source>
        <translation>说话价格</translation>
    </message>
    <message>
        <source>Of a million letters that are spoken.</source>
        <translation>每说出一百万个字符的价格。</translation>
    </message>
    <message>
        <source>Keep the conversation</source>
        <translation>保留对话</translation>
    </message>
    <message>
        <source>On this computer, so that we can go on with it tomorrow.</source>
        <translation>保存在这台电脑上，明天可以接着聊。</translation>
    </message>
    <message>
        <source>Name of the conversation</source>
        <translation>对话的名称</translation>
    </message>
    <message>
        <source>Another name begins another one; the old one stays.</source>
        <translation>换个名称就开始新的对话，旧的会保留。</translation>
    </message>
    <message>
        <source>Remember what you tell me</source>
        <translation>记住您告诉我的事</translation>
    </message>
    <message>
        <source>Facts from what you say, on this computer only.</source>
        <translation>您话里的事实，只保存在这台电脑上。</translation>
    </message>
    <message>
        <source>How much comes to mind</source>
        <translation>回想多少</translation>
    </message>
    <message>
        <source>Remembered text that goes along with a question, in tokens.</source>
        <translation>随问题一起带上的记忆，以词元计。</translation>
    </message>
    <message>
        <source>Offer to remind me</source>
        <translation>主动提出提醒</translation>
    </message>
    <message>
        <source>When you speak of an appointment to come, I ask whether to remind you.</source>
        <translation>您说到将来的约会时，我会问要不要提醒您。</translation>
    </message>
    <message>
        <source>Put the memory in order</source>
        <translation>整理记忆</translation>
    </message>
    <message>
        <source>By myself, while nobody talks.</source>
        <translation>没人说话时，我自己整理。</translation>
    </message>
    <message>
        <source>How often</source>
        <translation>频率</translation>
    </message>
    <message>
        <source>From one time to the next.</source>
        <translation>两次之间的间隔。</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>On battery, too</source>
        <translation>使用电池时也整理</translation>
    </message>
    <message>
        <source>Costs a little power.</source>
        <translation>会耗一点电。</translation>
    </message>
    <message>
        <source>Folders to search</source>
        <translation>要搜索的文件夹</translation>
    </message>
    <message>
        <source>Your texts and PDF files there. One path each, parted by semicolons.</source>
        <translation>其中的文本和 PDF 文件。每个路径用分号隔开。</translation>
    </message>
    <message>
        <source>Plugins of others</source>
        <translation>他人的插件</translation>
    </message>
    <message>
        <source>Load those that did not come with me, where you have turned them on.</source>
        <translation>加载您已启用的非自带插件。</translation>
    </message>
    <message>
        <source>How much goes into the log</source>
        <translation>日志的详细程度</translation>
    </message>
    <message>
        <source>More helps to find faults.</source>
        <translation>越详细越便于查找故障。</translation>
    </message>
    <message>
        <source>What was said may go into the log</source>
        <translation>允许把说过的话写进日志</translation>
    </message>
    <message>
        <source>Off: the log holds no words of ours.</source>
        <translation>关闭：日志里没有我们说过的话。</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Search the settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>SettingsParts</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>language name start login key</source>
        <translation>语言 名字 启动 登录 按键 language name start login key</translation>
    </message>
    <message>
        <source>Personality</source>
        <translation>个性</translation>
    </message>
    <message>
        <source>character manner who</source>
        <translation>性格 风格 个性 character manner who</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>voices speed speak sound</source>
        <translation>声音 语音 语速 voices speed speak sound</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>download brain whisper memory size disk</source>
        <translation>下载 模型 内存 大小 磁盘 download brain whisper memory size disk</translation>
    </message>
    <message>
        <source>Sound</source>
        <translation>声音</translation>
    </message>
    <message>
        <source>microphone loudspeaker echo wake word volume</source>
        <translation>麦克风 扬声器 回声 唤醒词 音量 microphone loudspeaker echo wake word volume</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>cloud provider key budget internet cost</source>
        <translation>云端 服务商 密钥 预算 网络 费用 cloud provider key budget internet cost</translation>
    </message>
    <message>
        <source>Plugins</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>talents permissions extensions</source>
        <translation>插件 权限 扩展 talents permissions extensions</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>全部设置</translation>
    </message>
    <message>
        <source>advanced expert</source>
        <translation>高级 advanced expert</translation>
    </message>
</context>
<context>
    <name>SoundCards</name>
    <message>
        <source>Unmute</source>
        <translation>取消静音</translation>
    </message>
    <message>
        <source>The microphone is muted, so I hear nothing.</source>
        <translation>麦克风已静音，我什么也听不到。</translation>
    </message>
</context>
<context>
    <name>SoundSection</name>
    <message>
        <source>My voice</source>
        <translation>我的声音</translation>
    </message>
    <message>
        <source>Talking together</source>
        <translation>对话方式</translation>
    </message>
    <message>
        <source>What I hear</source>
        <translation>我听到的</translation>
    </message>
</context>
<context>
    <name>SoundStep</name>
    <message>
        <source>Can we hear each other?</source>
        <translation>我们能听到彼此吗？</translation>
    </message>
    <message>
        <source>Speak, and watch the bar. Then listen to the chime, and let me find out whether I hear myself.</source>
        <translation>说话，看看横条。再听听提示音，然后让我试试会不会听到自己。</translation>
    </message>
</context>
<context>
    <name>SpeakerCard</name>
    <message>
        <source>Loudspeaker</source>
        <translation>扬声器</translation>
    </message>
    <message>
        <source>The one this computer uses</source>
        <translation>这台电脑默认的</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Play a chime</source>
        <translation>播放提示音</translation>
    </message>
    <message>
        <source>Three rising notes.</source>
        <translation>三个上升的音。</translation>
    </message>
    <message>
        <source>This is where you will hear me.</source>
        <translation>您会从这里听到我。</translation>
    </message>
    <message>
        <source>Playing.</source>
        <translation>正在播放。</translation>
    </message>
    <message>
        <source>Did you hear it? If not, turn the volume up, or choose another loudspeaker.</source>
        <translation>听到了吗？没有的话，请调高音量，或换个扬声器。</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Back to the whole picture</source>
        <translation>回到整张图</translation>
    </message>
    <message numerus="yes">
        <source>%n shown</source>
        <translation>
            <numerusform>显示 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Around {name}.</source>
        <translation>{name}的周围。</translation>
    </message>
    <message numerus="yes">
        <source>{shown}, and %n more that are not.</source>
        <translation>
            <numerusform>{shown}，另有 %n 个未显示。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show fewer</source>
        <translation>少显示一些</translation>
    </message>
    <message>
        <source>Larger</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Show the whole picture</source>
        <translation>显示整张图</translation>
    </message>
</context>
<context>
    <name>StateWords</name>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Not answering</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>Not ready yet</source>
        <translation>尚未就绪</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Answers are shown and not spoken.</source>
        <translation>回答只显示，不朗读。</translation>
    </message>
    <message>
        <source>Say “{word}” to talk.</source>
        <translation>说“{word}”开始对话。</translation>
    </message>
    <message>
        <source>The microphone is closed until you unmute it.</source>
        <translation>麦克风已关闭，直到您打开它。</translation>
    </message>
    <message>
        <source>The microphone is closed until {time}.</source>
        <translation>麦克风关闭至 {time}。</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等候中</translation>
    </message>
    <message>
        <source>Listening</source>
        <translation>正在听</translation>
    </message>
    <message>
        <source>Hearing you</source>
        <translation>正在听您说</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>正在思考</translation>
    </message>
    <message>
        <source>Speaking</source>
        <translation>正在说话</translation>
    </message>
    <message>
        <source>Muted</source>
        <translation>已静音</translation>
    </message>
    <message>
        <source>No microphone</source>
        <translation>没有麦克风</translation>
    </message>
</context>
<context>
    <name>Talents</name>
    <message>
        <source>Timers, alarms and reminders</source>
        <translation>计时器、闹钟和提醒</translation>
    </message>
    <message>
        <source>“Set a pasta timer for ten minutes.”</source>
        <translation>“设一个十分钟的计时器。”</translation>
    </message>
    <message>
        <source>Time and date</source>
        <translation>时间和日期</translation>
    </message>
    <message>
        <source>“What time is it?”</source>
        <translation>“现在几点了？”</translation>
    </message>
    <message>
        <source>Sums and units</source>
        <translation>计算和单位</translation>
    </message>
    <message>
        <source>“What is 15 percent of 80?”</source>
        <translation>“八十的百分之十五是多少？”</translation>
    </message>
    <message>
        <source>Remembering</source>
        <translation>记住事情</translation>
    </message>
    <message>
        <source>“Remember that Emma likes strawberries.”</source>
        <translation>“记住小明喜欢草莓。”</translation>
    </message>
    <message>
        <source>Your notes and documents</source>
        <translation>您的笔记和文档</translation>
    </message>
    <message>
        <source>“What do my notes say about the boiler?”</source>
        <translation>“我的笔记里关于锅炉写了什么？”</translation>
    </message>
    <message>
        <source>Volume</source>
        <translation>音量</translation>
    </message>
    <message>
        <source>“A little louder, please.”</source>
        <translation>“大声一点。”</translation>
    </message>
    <message>
        <source>Saying it again</source>
        <translation>再说一遍</translation>
    </message>
    <message>
        <source>“What did you say?”</source>
        <translation>“你说什么？”</translation>
    </message>
    <message>
        <source>Being quiet</source>
        <translation>安静下来</translation>
    </message>
    <message>
        <source>“Stop.”</source>
        <translation>“停。”</translation>
    </message>
    <message>
        <source>Greetings and thanks</source>
        <translation>问候和感谢</translation>
    </message>
    <message>
        <source>“Good morning.”</source>
        <translation>“早上好。”</translation>
    </message>
    <message>
        <source>What I can do</source>
        <translation>我会做的事</translation>
    </message>
    <message>
        <source>Plugins, and what each may do</source>
        <translation>插件及其权限</translation>
    </message>
</context>
<context>
    <name>TalkPage</name>
    <message>
        <source>Search the conversation</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Back to the conversation</source>
        <translation>回到对话</translation>
    </message>
    <message>
        <source>Go to the newest</source>
        <translation>回到最新</translation>
    </message>
    <message>
        <source>Announcement</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>This turn</source>
        <translation>这一轮</translation>
    </message>
    <message>
        <source>Talk</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Copy the chosen turn</source>
        <translation>复制所选的一轮</translation>
    </message>
    <message>
        <source>Stop speaking and writing</source>
        <translation>停止说话和书写</translation>
    </message>
    <message>
        <source>Talk; held down, until you let go</source>
        <translation>说话；按住则直到松开</translation>
    </message>
    <message>
        <source>Send what you typed, or open the details of the chosen turn</source>
        <translation>发送输入的内容，或打开所选一轮的详情</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到。</translation>
    </message>
    <message numerus="yes">
        <source>The newest %n turns that were found</source>
        <translation>
            <numerusform>找到的最近 %n 轮对话</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turns found</source>
        <translation>
            <numerusform>找到 %n 轮对话</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy the question</source>
        <translation>复制问题</translation>
    </message>
    <message>
        <source>Copy the answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
</context>
<context>
    <name>TalkStep</name>
    <message>
        <source>Let us talk.</source>
        <translation>我们聊聊吧。</translation>
    </message>
    <message>
        <source>Call me, and ask what I can do.</source>
        <translation>叫我，问问我会做什么。</translation>
    </message>
    <message>
        <source>Listen to me now</source>
        <translation>现在听我说</translation>
    </message>
    <message>
        <source>Ask without speaking</source>
        <translation>不出声提问</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>What can you do?</source>
        <translation>你会做什么？</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Our first conversation</source>
        <translation>我们的第一次对话</translation>
    </message>
    <message>
        <source>That was our first conversation.</source>
        <translation>这就是我们的第一次对话。</translation>
    </message>
    <message>
        <source>Say: “{word}, what can you do?”</source>
        <translation>请说：“{word}，你会做什么？”</translation>
    </message>
    <message>
        <source>Say: “What can you do?”</source>
        <translation>请说：“你会做什么？”</translation>
    </message>
    <message>
        <source>The models are still on their way.</source>
        <translation>模型还在下载。</translation>
    </message>
    <message>
        <source>You can close this; I go on.</source>
        <translation>您可以关闭这里，我会继续。</translation>
    </message>
    <message>
        <source>I cannot listen yet: there are no models.</source>
        <translation>我还不能听：没有模型。</translation>
    </message>
    <message>
        <source>Go back to fetch them, or do it later in the settings. You can look around meanwhile.</source>
        <translation>请返回下载，或以后在设置里下载。您可以先随便看看。</translation>
    </message>
    <message>
        <source>A moment: I am waking up.</source>
        <translation>请稍等，我正在醒来。</translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>您：{text}</translation>
    </message>
    <message>
        <source>…</source>
        <translation>……</translation>
    </message>
    <message>
        <source>Me: {text}</source>
        <translation>我：{text}</translation>
    </message>
</context>
<context>
    <name>Ticks</name>
    <message>
        <source>Heard {done} of {count} times</source>
        <translation>已听到 {done} 次，共 {count} 次</translation>
    </message>
</context>
<context>
    <name>TimeBar</name>
    <message>
        <source>{step}: {time}</source>
        <translation>{step}：{time}</translation>
    </message>
    <message>
        <source>Times of the steps</source>
        <translation>各步骤的时间</translation>
    </message>
</context>
<context>
    <name>TimeStrip</name>
    <message>
        <source>Show what was known on a day</source>
        <translation>查看某一天时所知道的</translation>
    </message>
    <message>
        <source>Back to now</source>
        <translation>回到现在</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <comment>a day, as QLocale formats it</comment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>As I know it now</source>
        <translation>我现在所知道的</translation>
    </message>
    <message>
        <source>As I knew it on {day}</source>
        <translation>{day}时我所知道的</translation>
    </message>
</context>
<context>
    <name>TimerRow</name>
    <message>
        <source>Cancel {name}</source>
        <translation>取消{name}</translation>
    </message>
    <message>
        <source>Alarm: {label}</source>
        <translation>闹钟：{label}</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>闹钟</translation>
    </message>
    <message>
        <source>Timer: {label}</source>
        <translation>计时器：{label}</translation>
    </message>
    <message>
        <source>Timer of {length}</source>
        <translation>{length} 的计时器</translation>
    </message>
    <message numerus="yes">
        <source>Timer of %n minute(s)</source>
        <translation>
            <numerusform>%n 分钟的计时器</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Times</name>
    <message>
        <source>less than a minute left</source>
        <translation>还剩不到一分钟</translation>
    </message>
    <message>
        <source>today at {time}</source>
        <translation>今天 {time}</translation>
    </message>
    <message>
        <source>tomorrow at {time}</source>
        <translation>明天 {time}</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>{day} at {time}</source>
        <translation>{day} {time}</translation>
    </message>
</context>
<context>
    <name>Toolbar</name>
    <message>
        <source>Find a name</source>
        <translation>查找名称</translation>
    </message>
    <message>
        <source>As a picture</source>
        <translation>图</translation>
    </message>
    <message>
        <source>As a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Export, import and backups</source>
        <translation>导出、导入和备份</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>立即备份</translation>
    </message>
    <message>
        <source>Go back to a backup…</source>
        <translation>恢复到备份…</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Companion: {state}</source>
        <translation>语音伙伴：{state}</translation>
    </message>
    <message>
        <source>Unmute</source>
        <translation>取消静音</translation>
    </message>
    <message>
        <source>Mute until I unmute</source>
        <translation>静音直到我打开</translation>
    </message>
    <message>
        <source>Speak answers again</source>
        <translation>恢复朗读回答</translation>
    </message>
    <message>
        <source>Pause speaking</source>
        <translation>暂停朗读</translation>
    </message>
    <message>
        <source>Talk now</source>
        <translation>现在说话</translation>
    </message>
    <message>
        <source>Mute for 10 minutes</source>
        <translation>静音 10 分钟</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Companion</source>
        <translation>语音伙伴</translation>
    </message>
    <message>
        <source>{state} – {reason}</source>
        <translation>{state} – {reason}</translation>
    </message>
</context>
<context>
    <name>TrialCard</name>
    <message>
        <source>Try a search</source>
        <translation>试着搜索</translation>
    </message>
    <message>
        <source>This is what I would find if you asked me.</source>
        <translation>您问我时，我会找到这些。</translation>
    </message>
    <message>
        <source>Search your folders and notes</source>
        <translation>搜索您的文件夹和笔记</translation>
    </message>
    <message>
        <source>Nothing fits. Other words may.</source>
        <translation>没有符合的内容。换个说法试试。</translation>
    </message>
</context>
<context>
    <name>TroublesCard</name>
    <message>
        <source>What I cannot read</source>
        <translation>我无法读取的文件</translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>还有 %n 个。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TurnDetails</name>
    <message>
        <source>How long this turn took and who answered is not known any more.</source>
        <translation>这一轮用了多久、由谁回答，已经无从得知。</translation>
    </message>
    <message>
        <source>{day}, {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>Companion</source>
        <translation>语音伙伴</translation>
    </message>
    <message>
        <source>You interrupted it. You heard: {words}</source>
        <translation>您打断了它。您听到的是：{words}</translation>
    </message>
    <message>
        <source>You heard nothing of it.</source>
        <translation>您没有听到它。</translation>
    </message>
    <message>
        <source>You waited {seconds}</source>
        <translation>您等了 {seconds}</translation>
    </message>
    <message>
        <source>Who answered</source>
        <translation>由谁回答的</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>用到的</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>出了什么问题</translation>
    </message>
    <message>
        <source>A rule, without a language model</source>
        <translation>按规则回答，没用语言模型</translation>
    </message>
    <message>
        <source>The language model on this computer</source>
        <translation>这台电脑上的语言模型</translation>
    </message>
    <message>
        <source>Nothing was recalled for it.</source>
        <translation>没有为此回想起什么。</translation>
    </message>
    <message>
        <source>Recalled</source>
        <translation>回想起的</translation>
    </message>
    <message>
        <source>It is not shown any more, because something was forgotten since.</source>
        <translation>因为后来忘记了一些内容，这里不再显示。</translation>
    </message>
    <message>
        <source>What left this computer</source>
        <translation>离开这台电脑的内容</translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation>没有。</translation>
    </message>
    <message>
        <source>{bytes} bytes to {host}, for {provider}: {kinds}</source>
        <translation>{bytes} 字节发送到 {host}（{provider}）：{kinds}</translation>
    </message>
    <message>
        <source>until the first word</source>
        <translation>直到第一个词</translation>
    </message>
    <message>
        <source>until you had finished</source>
        <translation>直到您说完</translation>
    </message>
    <message>
        <source>until the first sound</source>
        <translation>直到第一个声音</translation>
    </message>
    <message>
        <source>A good answer</source>
        <translation>回答得好</translation>
    </message>
    <message>
        <source>Not a good answer</source>
        <translation>回答得不好</translation>
    </message>
    <message>
        <source>That was wrong</source>
        <translation>这是错的</translation>
    </message>
    <message>
        <source>What would have been right? Enter keeps it.</source>
        <translation>正确的应该是什么？按回车保存。</translation>
    </message>
    <message>
        <source>What would have been right?</source>
        <translation>正确的应该是什么？</translation>
    </message>
    <message>
        <source>It is kept on this computer only.</source>
        <translation>只保存在这台电脑上。</translation>
    </message>
</context>
<context>
    <name>TurnModel</name>
    <message>
        <source>Companion: {answer}</source>
        <translation>语音伙伴：{answer}</translation>
    </message>
    <message>
        <source>You: {question}</source>
        <translation>您：{question}</translation>
    </message>
    <message>
        <source>You interrupted it.</source>
        <translation>您打断了它。</translation>
    </message>
</context>
<context>
    <name>TurnView</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>Uses</name>
    <message>
        <source>What I use of this computer</source>
        <translation>我占用的资源</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Loaded models</source>
        <translation>已加载的模型</translation>
    </message>
    <message>
        <source>Running for</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>{share} of one of {cores} cores</source>
        <translation>{cores} 个核心之一的 {share}</translation>
    </message>
    <message>
        <source>{own} of {all}, {free} are free</source>
        <translation>{all} 中的 {own}，还剩 {free}</translation>
    </message>
    <message>
        <source>{free} are free</source>
        <translation>还剩 {free}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>VoicesSection</name>
    <message>
        <source>Open models</source>
        <translation>打开模型页</translation>
    </message>
    <message>
        <source>More voices</source>
        <translation>更多声音</translation>
    </message>
    <message>
        <source>Manner</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Listen to it</source>
        <translation>试听</translation>
    </message>
    <message>
        <source>Good morning. How are you?</source>
        <translation>早上好。您好吗？</translation>
    </message>
    <message>
        <source>What I say</source>
        <translation>我说的话</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>As it fits</source>
        <translation>视情况而定</translation>
    </message>
    <message>
        <source>The voice for the language of each answer.</source>
        <translation>按每次回答的语言选用声音。</translation>
    </message>
    <message>
        <source>There is no voice for {language} here.</source>
        <translation>这里没有{language}的声音。</translation>
    </message>
    <message>
        <source>Answers in it can only be read, unless espeak-ng is installed.</source>
        <translation>除非安装 espeak-ng，否则这种语言的回答只能阅读。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>{note} Speaks {languages}.</source>
        <translation>{note} 会说{languages}。</translation>
    </message>
    <message>
        <source>One moment.</source>
        <translation>请稍等。</translation>
    </message>
</context>
<context>
    <name>WakeCard</name>
    <message>
        <source>The name to call</source>
        <translation>呼唤的名字</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试试</translation>
    </message>
    <message>
        <source>Say the name three times.</source>
        <translation>把名字说三遍。</translation>
    </message>
    <message>
        <source>I am called by</source>
        <translation>用来叫我的名字</translation>
    </message>
    <message>
        <source>Say it before you ask me something.</source>
        <translation>问我之前先说它。</translation>
    </message>
    <message>
        <source>How easily I hear it</source>
        <translation>听到它的难易</translation>
    </message>
    <message>
        <source>To the right I hear it more easily, and more often by mistake.</source>
        <translation>越往右越容易听到，也越容易听错。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>I am getting ready.</source>
        <translation>我正在准备。</translation>
    </message>
    <message>
        <source>I heard it.</source>
        <translation>我听到了。</translation>
    </message>
    <message>
        <source>I heard it three times. Well done.</source>
        <translation>我听到三遍了，很好。</translation>
    </message>
    <message>
        <source>Almost. Say it a little louder, or move the slider to the right.</source>
        <translation>差一点。大声一点说，或把滑块往右移。</translation>
    </message>
    <message>
        <source>That sounded like it, but I do not think it was.</source>
        <translation>听起来像，但我觉得不是。</translation>
    </message>
    <message>
        <source>I am listening. Say: {word}</source>
        <translation>我在听。请说：{word}</translation>
    </message>
</context>
<context>
    <name>WakeStep</name>
    <message>
        <source>What will you call me?</source>
        <translation>您想怎么叫我？</translation>
    </message>
    <message>
        <source>I sleep until I hear my name. Choose one, and say it three times to see that I hear it.</source>
        <translation>听到名字之前我都在休息。选一个名字，说三遍，看看我能不能听到。</translation>
    </message>
</context>
<context>
    <name>Well</name>
    <message>
        <source>Everything works.</source>
        <translation>一切正常。</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Companion</source>
        <translation>语音伙伴</translation>
    </message>
    <message>
        <source>Go to {place}</source>
        <translation>转到{place}</translation>
    </message>
    <message>
        <source>Show this help</source>
        <translation>显示此帮助</translation>
    </message>
    <message>
        <source>Mute the microphone, or unmute it</source>
        <translation>关闭或打开麦克风</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
    <message>
        <source>Quit the companion</source>
        <translation>退出语音伙伴</translation>
    </message>
</context>
<context>
    <name>Wizard</name>
    <message>
        <source>First steps</source>
        <translation>初次设置</translation>
    </message>
    <message>
        <source>Go on later</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>The models could not be fetched.</source>
        <translation>模型下载失败。</translation>
    </message>
    <message>
        <source>The models are here.</source>
        <translation>模型已就绪。</translation>
    </message>
    <message>
        <source>Models on their way: {percent} %</source>
        <translation>正在下载模型：{percent}%</translation>
    </message>
    <message numerus="yes">
        <source>Models on their way: {percent} %, about %n minute(s) left</source>
        <translation>
            <numerusform>正在下载模型：{percent}%，还剩约 %n 分钟</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_Folder</name>
    <message>
        <source>Search this folder no more</source>
        <translation>不再搜索这个文件夹</translation>
    </message>
    <message>
        <source>Search {folder} no more</source>
        <translation>不再搜索 {folder}</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s)</source>
        <translation>
            <numerusform>%n 个文件</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passage(s)</source>
        <translation>
            <numerusform>%n 个段落</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cannot be read</source>
        <translation>
            <numerusform>%n 个无法读取</numerusform>
        </translation>
    </message>
    <message>
        <source>{files}, {passages}, {unread}</source>
        <translation>{files}，{passages}，{unread}</translation>
    </message>
    <message>
        <source>{files}, {passages}</source>
        <translation>{files}，{passages}</translation>
    </message>
</context>
<context>
    <name>_Talent</name>
    <message>
        <source>It does not work: {reason}</source>
        <translation>不能工作：{reason}</translation>
    </message>
</context>
</TS>
