import Foundation
import Testing

/// A browser without a window, in which tests load pages.
struct Chromium {
  /// The browser that `ATREST_CHROMIUM` in the environment names, otherwise the first of the usual
  /// names that is on the PATH.
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

  /// True if a browser was found, and always true in CI, where a missing browser is an error.
  static var isExpected: Bool {
    path != nil || ProcessInfo.processInfo.environment["CI"] != nil
  }

  static let reason: Comment =
    "Chromium was not found. Set ATREST_CHROMIUM to its path, or put it on the PATH."

  /// The result of loading a page.
  struct Run {
    let dom: String
    /// The messages on the console, which include violations of the page's policy.
    let console: [String]

    /// Returns the JSON that the page wrote into its element `probe`.
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

  /// The folder to which pages are written. To keep them for inspection, set `ATREST_PAGES` in the
  /// environment to another folder.
  private let folder = try? TestFolder()
  private let kept = ProcessInfo.processInfo.environment["ATREST_PAGES"]

  func write(_ html: String, _ name: String) throws -> URL {
    let own = try #require(folder)
    let file = (kept.map { URL(fileURLWithPath: $0) } ?? own.url).appendingPathComponent(name)
    try Data(html.utf8).write(to: file)
    return file
  }

  /// Loads a local page, and gives its scripts time to run.
  ///
  /// - Parameter isTimed: True to use real time. Otherwise virtual time advances as fast as the
  ///   page allows.
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
      // Chromium has no sandbox when it runs as root, as it does in containers of CI.
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
