import Foundation

/// The libraries whose presence makes a process one that runs tests.
enum TestingLibrary: String {
  case swiftTesting = "Testing"
  case xcTest = "XCTest"

  /// One that is loaded into this process now, if any is.
  ///
  /// Each is asked for by what it defines, so that it is found as a shared library and linked
  /// statically. Neither is loaded into a program by accident.
  static var loaded: TestingLibrary? {
    if symbol("swt_abiv0_getEntryPoint") { return .swiftTesting }
    if NSClassFromString("XCTest.XCTestCase") != nil || NSClassFromString("XCTestCase") != nil {
      return .xcTest
    }
    return nil
  }

  private static func symbol(_ name: String) -> Bool {
    // A handle of nil means every library of the process, as RTLD_DEFAULT does on Linux, which Swift
    // does not import.
    guard let process = dlopen(nil, RTLD_LAZY) else { return false }
    defer { dlclose(process) }
    return dlsym(process, name) != nil
  }
}
