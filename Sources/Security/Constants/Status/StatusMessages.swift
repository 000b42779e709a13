/// What each status code says, beside the codes themselves.
enum StatusMessages {
  static let all: [OSStatus: String] = [keychain, trust, module, attribute, request]
    .reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}
