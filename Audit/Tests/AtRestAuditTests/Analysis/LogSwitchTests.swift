import AtRestAudit
import Testing

/// Logs of Objective-C that write nothing in a build for customers.
@Suite struct LogSwitchTests {
  private static let call = "- (void)open:(NSString *)password { NSLog(@\"%@\", password); }"

  private func isFound(_ header: String, _ body: String = call) throws -> Bool {
    let files = [
      "Login.m": "@implementation Login\n\(body)\n@end", "App-Prefix.pch": header,
    ]
    return try Audit(tree: SourceTree(files: files)).run().findings.contains {
      $0.rule == "log-sensitive"
    }
  }

  @Test(arguments: [
    "#define NSLog(...)", "#ifndef DEBUG\n#define NSLog(...) do {} while (0)\n#endif",
    "#ifdef DEBUG\n#define A 1\n#else\n#define NSLog(...)\n#endif",
    "#if (PRINT_LOG)\n#define NSLog(f, ...) NSLog(f, ##__VA_ARGS__)\n#else\n#define NSLog(...)\n#endif",
    "#ifdef RELEASE\n#define NSLog(...) (void)0\n#endif",
  ])
  func aMacroThatDoesNothingWritesNothing(header: String) throws {
    #expect(try !isFound(header))
  }

  @Test(arguments: [
    "", "#define NSLog(f, ...) Write(f, ##__VA_ARGS__)", "#ifdef DEBUG\n#define NSLog(...)\n#endif",
    "#ifdef QUIET\n#define NSLog(...)\n#endif",
    "#define PRINT_LOG 1\n#if !PRINT_LOG\n#define NSLog(...)\n#endif",
  ])
  func otherMacrosSayNothing(header: String) throws {
    #expect(try isFound(header))
  }

  @Test func aLevelLeavesOutWhatIsBelow() throws {
    func header(_ level: String) -> String {
      "#ifdef DEBUG\nstatic const int ddLogLevel = DDLogLevelVerbose;\n#else\n"
        + "static const int ddLogLevel = \(level);\n#endif"
    }
    func call(_ name: String) -> String {
      "- (void)open:(NSString *)password { \(name)(@\"%@\", password); }"
    }
    #expect(try !isFound(header("DDLogLevelOff"), call("DDLogError")))
    #expect(try !isFound(header("DDLogLevelWarning"), call("DDLogInfo")))
    #expect(try isFound(header("DDLogLevelWarning"), call("DDLogError")))
    #expect(try isFound("", call("DDLogInfo")))
  }

  /// The text of a program that ends is no record of what it does.
  @Test func theLastWordsOfAProgramAreLow() throws {
    func severity(_ name: String) throws -> Severity? {
      let code = """
        func f(password: String) -> URLCredential {
          \(name)("\\(password)")
          return URLCredential(user: "u", password: password, persistence: .none)
        }
        """
      return try Audit(tree: SourceTree(files: ["A.swift": code])).run().findings.first {
        $0.rule == "log-sensitive"
      }?.severity
    }
    #expect(try severity("NSLog") == .high)
    #expect(try severity("preconditionFailure") == .low)
  }
}
