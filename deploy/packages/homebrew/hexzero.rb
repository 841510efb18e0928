class Hexzero < Formula
  desc "AlphaZero engine for Hex, Cachex and other games on hexagonal boards"
  homepage "@SITE@"
  url "@ADDRESS@/releases/download/v@VERSION@/hexzero-@VERSION@.tar.gz"
  sha256 "@SHA256_tar.gz@"
  license "MIT"
  head "@ADDRESS@.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(features: "cluster")
    generate_completions_from_executable(bin/"hexzero", "generate", "completions", shells: [:bash, :zsh, :fish])
    system bin/"hexzero", "generate", "man", man1
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/hexzero --version")
    commands = "boardsize 5\ngenmove black\nquit\n"
    assert_match(/^= [a-e][1-5]$/, pipe_output("#{bin}/hexzero gtp --game hex --visits 20", commands, 0))
  end
end
