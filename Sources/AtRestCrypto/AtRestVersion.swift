/// The version of the libraries and the programs.
@_spi(Tools) public enum AtRestVersion {
  public static let current = "0.1.0"
}
