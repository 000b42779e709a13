import Foundation
import Testing

/// The units and the manual that `make install-agent` installs.
struct InstalledFileTests {
  private var package: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  @Test(
    .enabled(if: AgentRun.isInstalled("systemd-analyze"), "systemd is not installed"),
    arguments: [true, false])
  func systemdAcceptsTheUnits(_ isChanged: Bool) throws {
    let run = try AgentRun()
    let folder = run.folder.appendingPathComponent("units")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let units = package.appendingPathComponent("Units")
    for name in try FileManager.default.contentsOfDirectory(atPath: units.path) {
      // A copy would keep the owner, which only root can do.
      try Data(contentsOf: units.appendingPathComponent(name))
        .write(to: folder.appendingPathComponent(name))
    }
    let service = folder.appendingPathComponent("atrest-agent.service")
    var text = try String(contentsOf: service, encoding: .utf8)
    // As the Makefile does, with a program that is there.
    text = text.replacingOccurrences(of: "ExecStart=atrest-agent", with: "ExecStart=/bin/true")
    if isChanged { text = text.replacingOccurrences(of: "LimitCORE", with: "LimitsCORE") }
    try Data(text.utf8).write(to: service)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 3)
    let result = try run.execute(
      "/usr/bin/systemd-analyze",
      ["--user", "--man=no", "verify"] + names.map { folder.appendingPathComponent($0).path },
      with: ["SYSTEMD_UNIT_PATH": folder.path + ":", "XDG_RUNTIME_DIR": run.folder.path])
    #expect(result.status == 0)
    // Control: a setting that systemd does not know is reported.
    #expect(result.text.contains("LimitsCORE") == isChanged, "\(result.text)")
    #expect(result.text.isEmpty == !isChanged, "\(result.text)")
  }

  @Test(
    .enabled(if: AgentRun.isInstalled("man"), "man is not installed"), arguments: [true, false])
  func theManualIsWellFormed(_ isChanged: Bool) throws {
    let run = try AgentRun()
    var text = try String(
      contentsOf: package.appendingPathComponent("Man/atrest-agent.1"), encoding: .utf8)
    if isChanged { text += ".Xy no such macro\n" }
    let file = run.folder.appendingPathComponent("atrest-agent.1")
    try Data(text.utf8).write(to: file)
    let result = try run.execute(
      "/bin/sh", ["-c", "man --warnings -l -Tutf8 '\(file.path)' 2>&1 >/dev/null"],
      with: ["LC_ALL": "C.UTF-8", "MANROFFSEQ": ""])
    #expect(result.status == 0)
    #expect(result.text.isEmpty == !isChanged, "\(result.text)")
    // The manual names the options of the program.
    let manual = try run.execute(
      "/bin/sh", ["-c", "man -l -Tascii '\(file.path)' | col -bx"], with: ["LC_ALL": "C.UTF-8"])
    let help = try run.execute(AgentProgram.path(), ["--help"])
    let options = help.text.split { " \n(),;".contains($0) }.filter { $0.hasPrefix("--") }
    #expect(options.count > 8)
    for option in Set(options) where !["--help", "--version"].contains(option) {
      #expect(manual.text.contains(option), "\(option)")
    }
  }
}
