/// The messages of the status codes. The texts are in the files that define the codes.
enum StatusMessages {
  static let all: [OSStatus: String] = [keychain, trust, module, attribute, request]
    .reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}
