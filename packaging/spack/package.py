# A Spack recipe. There is no public archive yet, so that it builds a source tree:
#
#   spack repo create ~/jcbench-repo && spack repo add ~/jcbench-repo
#   mkdir ~/jcbench-repo/packages/jcbench && cp packaging/spack/package.py ~/jcbench-repo/packages/jcbench/
#   spack dev-build jcbench@main        # from the top of the source tree
from spack.package import *


class Jcbench(AutotoolsPackage):
    """Node classification with the joint-cluster loss on multicore CPUs: reproduces the tables and figures of
    "Rethinking Independent Cross-Entropy Loss For Graph-Structured Data" (ICML 2024)."""

    license("GPL-3.0-or-later")

    version("main")

    variant("blas", default="openblas", values=("openblas", "mkl"), multi=False, description="BLAS library")
    variant("mpi", default=False, description="Experiments over several machines with mpirun")

    depends_on("c", type="build")
    depends_on("gsl")
    depends_on("metis@5: +shared")  # its random numbers are replaced, which a static library does not allow
    depends_on("xxhash", type="build")  # header only
    depends_on("yajl")
    depends_on("zlib-api")
    depends_on("gnuplot", type=("build", "run"))  # configure asks for it
    depends_on("openblas threads=pthreads", when="blas=openblas")  # jcb refuses the serial build (Spack's default)
    depends_on("intel-oneapi-mkl threads=none", when="blas=mkl")
    depends_on("mpi", when="+mpi")

    def configure_args(self):
        blas = self.spec.variants["blas"].value
        return [f"--with-blas={blas}", "--with-mpi=yes" if self.spec.satisfies("+mpi") else "--with-mpi=no"]
