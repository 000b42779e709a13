import Foundation
import Testing

/// A browser without a window, in which pages are tried.
struct Chromium {
  /// What the environment's `ATREST_CHROMIUM` names, or what the path has of the usual names.
  static let path: String? = {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["ATREST_CHROMIUM"] { return path }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let names = [
      "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
      "headless_shell",
    ]
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first(where: FileManager.default.isExecutableFile)
  }()

  /// Where all is installed that tests need, a browser that is missing is an error.
  static var isExpected: Bool {
    path != nil || ProcessInfo.processInfo.environment["CI"] != nil
  }

  static let reason: Comment =
    "No Chromium: ATREST_CHROMIUM names none, and none is on the PATH."

  /// What a page came to be.
  struct Run {
    let dom: String
    /// What was said on the console, errors of the policy among it.
    let console: [String]

    /// What the page wrote into its element `probe`.
    func probe() throws -> [String: Any] {
      let after = try #require(
        dom.components(separatedBy: "<pre id=\"probe\">").dropFirst().first, "\(console)")
      var text = try #require(after.components(separatedBy: "</pre>").first)
      for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
        text = text.replacingOccurrences(of: entity, with: character)
      }
      return try Sample.json(text)
    }
  }

  /// Pages are written here; the environment's `ATREST_PAGES` names a folder in which they are kept, to be
  /// looked at.
  private let folder = try? TestFolder()
  private let kept = ProcessInfo.processInfo.environment["ATREST_PAGES"]

  func write(_ html: String, _ name: String) throws -> URL {
    let own = try #require(folder)
    let file = (kept.map { URL(fileURLWithPath: $0) } ?? own.url).appendingPathComponent(name)
    try Data(html.utf8).write(to: file)
    return file
  }

  /// Loads a page of this machine and gives it time for its scripts.
  ///
  /// - Parameter isTimed: Whether clocks go as they do, rather than as fast as the page allows.
  func run(
    _ page: URL, fragment: String = "", isDark: Bool = false, isTimed: Bool = false
  ) throws -> Run {
    let folder = try TestFolder(["out": "", "log": ""])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.path, Self.reason))
    process.arguments =
      [
        "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-dev-shm-usage", "--window-size=1280,900",
        "--user-data-dir=\(folder.path)/profile", "--enable-logging=stderr",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
      ]
      // As root, as containers of CI are, it has no sandbox of its own.
      + (getuid() == 0 ? ["--no-sandbox"] : [])
      + (isTimed ? [] : ["--virtual-time-budget=20000"])
      + ["--dump-dom", page.absoluteString + fragment]
    process.standardOutput = try FileHandle(
      forWritingTo: folder.url.appendingPathComponent("out"))
    process.standardError = try FileHandle(forWritingTo: folder.url.appendingPathComponent("log"))
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let id = process.processIdentifier
    let alarm = DispatchWorkItem { kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: alarm)
    process.waitUntilExit()
    alarm.cancel()
    func text(_ name: String) throws -> String {
      let file = folder.url.appendingPathComponent(name)
      return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
    let log = try text("log")
    return Run(
      dom: try text("out"),
      console: log.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") })
  }
}
