import CAtRestSystem
import Foundation

/// The libraries whose presence makes a process one that runs tests.
enum TestingLibrary: String, CaseIterable {
  case swiftTesting = "Testing"
  case xcTest = "XCTest"

  /// One that is loaded into this process now, if any is.
  ///
  /// It is looked for among the shared libraries, by the name of its file. SwiftPM loads the library of
  /// XCTest into every bundle of tests, also where Swift Testing is linked statically.
  static var loaded: TestingLibrary? { allCases.first { $0.isLoaded } }

  private var isLoaded: Bool {
    // On Apple's systems it is a framework, whose file has the framework's name.
    ["lib\(rawValue)", rawValue].contains { (name: String) in
      atrest_is_library_loaded(name) != 0
    }
  }
}
