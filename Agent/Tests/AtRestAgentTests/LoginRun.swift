import Foundation
import Testing

/// Logins through PAM, with the module `pam_atrest.so`, in a folder of a test's own. Nothing of the system's configuration
/// is read: `libpam-wrapper` names another folder to PAM.
struct LoginRun {
  /// A service of PAM, whose modules a test names.
  static let isInstalled =
    AgentRun.isInstalled("pamtester")
    && FileManager.default.fileExists(atPath: "/usr/include/security/pam_modules.h")
    && FileManager.default.fileExists(atPath: "\(wrapperModules)/pam_set_items.so")
  private static let wrapperModules = "/usr/lib/x86_64-linux-gnu/pam_wrapper"

  let run: AgentRun
  /// Variables of the session, which other modules set.
  var session: [String: String] = [:]
  /// The user, by default the one that runs the tests.
  var user: String

  /// - Parameters:
  ///   - password: The password with which the user logs in.
  ///   - options: The options of the module.
  ///   - service: The configuration of PAM, where MODULE stands for the module, or nil for the usual one.
  init(_ run: AgentRun, password: String, options: String, service: String? = nil) throws {
    self.run = run
    user = String(cString: getpwuid(geteuid()).pointee.pw_name)
    try Self.compile(
      "PAM/pam_atrest.c", ["-shared", "-fPIC", "-fvisibility=hidden"], ["-lpam"], to: module, run)
    let check = run.folder.appendingPathComponent("check")
    try Script.write("#!/bin/sh\ntest \"$(/bin/cat)\" = '\(password)'\n", to: check.path)
    let services = run.folder.appendingPathComponent("pam")
    try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
    let text =
      service
        ?? """
        auth     required  pam_exec.so expose_authtok quiet \(check.path)
        auth     required  pam_permit.so
        auth     optional  MODULE \(options)
        account  required  pam_permit.so
        session  required  \(Self.wrapperModules)/pam_set_items.so
        session  optional  MODULE \(options)

        """
    try Data(text.replacingOccurrences(of: "MODULE", with: module).utf8)
      .write(to: services.appendingPathComponent("login"))
  }

  var module: String { run.folder.appendingPathComponent("pam_atrest.so").path }

  /// Compiles a file of the package.
  static func compile(
    _ source: String, _ options: [String], _ libraries: [String], to path: String, _ run: AgentRun
  ) throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let result = try run.execute(
      "/usr/bin/env",
      ["clang", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1"] + options
        + [package.appendingPathComponent(source).path] + libraries + ["-o", path])
    try #require(result.status == 0, "\(result.text)")
  }

  /// Logs in with a password, and returns the exit code of `pamtester` and what it says.
  ///
  /// - Parameters:
  ///   - steps: The steps of a login, as `pamtester` calls them.
  ///   - other: The user of the session, if it is another one, as for `sudo`.
  func callAsFunction(
    _ password: String, steps: [String] = ["authenticate", "open_session", "close_session"],
    sessionUser other: String? = nil
  ) throws -> (status: Int32, text: String) {
    var values = [
      "PAM_WRAPPER": "1", "PAM_WRAPPER_DEBUGLEVEL": "0",
      "PAM_WRAPPER_SERVICE_DIR": run.folder.path + "/pam",
    ]
    values["PAM_USER"] = other
    // A descriptor that the user must not get.
    let script = "LD_PRELOAD=libpam_wrapper.so exec pamtester \"$@\" 7</etc/passwd"
    return try run.execute(
      "/bin/sh",
      ["-c", script, "sh"]
        + session.sorted { $0.key < $1.key }.flatMap { ["-E", "\($0.key)=\($0.value)"] }
        + ["login", user] + steps, input: password, with: values)
  }
}
