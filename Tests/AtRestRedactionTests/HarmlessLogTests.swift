import AtRestRedaction
import Testing

/// Lines of logs without secrets stay as they are. They are written in the forms of common programs.
@Suite struct HarmlessLogTests {
  private static let lines = """
    Nov 23 06:55:46 host sshd[24200]: pam_unix(sshd:auth): authentication failure; logname= uid=0
    Nov 23 06:55:48 host sshd[24200]: Failed password for invalid user web from 203.0.113.9 port 38926 ssh2
    2026-11-23 18:01:47,978 INFO [main] org.example.app.Master: Created Master for id app_1445144423722_0020_000001
    081109 203615 148 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_38865049064139660 terminating
    081109 203807 222 INFO dfs.DataNode: Received block blk_-6952295868487656571 of size 67108864 from /10.0.0.1
    2026-09-28 04:30:31, Info  CBS  Session: 30546173_4261722401 initialized by client WindowsUpdateAgent.
    nova.osapi_compute.wsgi.server [req-38101a0b-2096-447d-96ea-a692162415ae 113d3a99c3da401fbd62cc2caa5b96d2 54fadb412c4e40cdbaed9335e4c35a9e - - -] 10.11.10.1 "GET /v2/54fadb412c4e40cdbaed9335e4c35a9e/servers/detail HTTP/1.1" status: 200 len: 1893 time: 0.2477829
    12:02:39.911  1702  2395 D WindowManager: opening app wtoken = AppWindowToken{9f4ef63 token=Token{a64f992 u0}}
    2015-07-29 19:04:12,394 - INFO [/10.10.34.11:3888:QuorumCnxManager$Listener@493] - Received connection request
    2015-07-29 19:13:27 Closed socket connection for client /10.10.34.11:45307 which had sessionid 0x14f05578bd80000
    - 1117838570 2026.06.03 R02-M1-N0-C:J12-U11 RAS KERNEL INFO instruction cache parity error corrected
    119082 Interconnect-0N00 switch_module fan 1129155045 1 Fan speeds ( 3552 3534 3375 4530 3515 3479 )
    20171223-22:15:39:156|Step_StandReportReceiver|30002312|REPORT : 7024 5015 150454 240
    203.0.113.7 - - [10/Oct/2026:13:55:36 +0000] "GET /index.html?page=2&sort=name HTTP/1.1" 200 2326
    level=info ts=2026-11-23T10:00:00.123456789Z caller=main.go:42 msg="listening" addr=:8080 status=200
    pulled image@sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015 in 1.2s
    PIDs: 1 2 3 44 55 66 77 88 99 100 101 102; memory 65 66 67 68 69 70 71 72 MiB
    error loading /home/user/UMT2K/umt2k/ckpt_umt2k_src/TEST/NEW_TEST: no such file
    kernel: [    0.000000] BIOS-e820: [mem 0x0000000000000000-0x000000000009fbff] usable
    tokens: 15 of 20; password policy: strong; keys: 3; secret santa at noon
    """.split(separator: "\n").map(String.init)

  @Test(arguments: lines) func aLineStays(_ line: String) throws {
    let registry = SecretRegistry()
    try registry.register("a secret of eva")
    #expect(Redactor(secrets: registry).redact(line) == line)
  }

  /// Control: with a secret at the end, the same line is changed.
  @Test(arguments: lines) func aSecretInItIsWithheld(_ line: String) throws {
    let registry = SecretRegistry()
    try registry.register("a secret of eva")
    #expect(Redactor(secrets: registry).redact(line + " a secret of eva") == line + " [withheld]")
    #expect(Redactor().redact(line + " password=hunter2") == line + " password=[withheld]")
  }
}
