import LocalAuthentication
import Testing

@Suite struct LAContextTests {
  @Test func exists() { _ = LAContext() }
}
