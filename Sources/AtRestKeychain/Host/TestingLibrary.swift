import CAtRestSystem
import Foundation

/// The libraries whose presence in a process shows that the process runs tests.
enum TestingLibrary: String, CaseIterable {
  case swiftTesting = "Testing"
  case xcTest = "XCTest"

  /// The testing library that is loaded into this process now, or nil if none is loaded.
  ///
  /// The library is found among the shared libraries by its file name. Test bundles that SwiftPM
  /// builds on Linux list both `libTesting.so` and `libXCTest.so` as required libraries.
  static var loaded: TestingLibrary? { allCases.first { $0.isLoaded } }

  private var isLoaded: Bool {
    // On Apple's systems, a testing library is a framework, whose file has the framework's name.
    ["lib\(rawValue)", rawValue].contains { (name: String) in
      atrest_is_library_loaded(name) != 0
    }
  }
}
