# Data sets in memory, and their plain text format, which test_parity reads.
jcb_sources += \
	src/data/cache.c \
	src/data/cache.h \
	src/data/catalog.c \
	src/data/catalog.h \
	src/data/dataset.h \
	src/data/finish.c \
	src/data/json.c \
	src/data/json.h \
	src/data/labels.c \
	src/data/labels.h \
	src/data/load_common.c \
	src/data/load_common.h \
	src/data/load_plain.c \
	src/data/npz.c \
	src/data/npz.h \
	src/data/origin.c \
	src/data/origin.h \
	src/data/own_tables.c \
	src/data/own_tables.h \
	src/data/prognn.h \
	src/data/reorder.c \
	src/data/split.c \
	src/data/split.h \
	src/data/stream.c \
	src/data/stream.h \
	src/data/text.c \
	src/data/text.h \
	src/data/zip.c \
	src/data/zip.h
# Everything else that reads, writes and makes data sets: not part of the double-precision test library.
loader_sources += \
	src/data/dataset.c \
	src/data/leak.c \
	src/data/leak.h \
	src/data/load_arrays.c \
	src/data/load_deeprobust.c \
	src/data/load_geom_gcn.c \
	src/data/load_graphsaint.c \
	src/data/load_heterophilous.c \
	src/data/load_lastfm.c \
	src/data/load_mlgnc.c \
	src/data/load_mtx.c \
	src/data/load_musae.c \
	src/data/load_npz_citation.c \
	src/data/load_ogb.c \
	src/data/load_planetoid.c \
	src/data/load_ptg_npz.c \
	src/data/nmf.c \
	src/data/nmf.h \
	src/data/own.c \
	src/data/own.h \
	src/data/pickle.c \
	src/data/pickle.h \
	src/data/save.c \
	src/data/save.h \
	src/data/save_arrays.c \
	src/data/save_mtx.c \
	src/data/save_ogb.c \
	src/data/save_plain.c \
	src/data/twin.c \
	src/data/twin.h \
	src/data/twin_features.c
